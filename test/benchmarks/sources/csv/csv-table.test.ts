import { describe, expect, test, vi } from 'vitest'
import { type Place, ProblemError } from '../../../../cache/problems/problem.ts'
import { float, floatRepr, repr } from '../../../../benchmarks/python/numbers/number.ts'
import { csvTable } from '../../../../benchmarks/sources/csv/csv-table.ts'
import { pandasFloat } from '../../../../benchmarks/sources/csv/pandas-types.ts'
import { STRICT_ROWS, type RowGuard, type Table } from '../../../../benchmarks/sources/table.ts'
import { fixtureRows, textOf } from '../../../rig/fixture.ts'
import { problemAtOnce } from '../../../rig/problem-of.ts'

const cellsOf = ({ columns, rows }: Table): unknown[][] =>
  rows.map(({ cells }) =>
    columns.map((column) => {
      const cell = cells.get(column) ?? null
      return typeof cell === 'string' ? cell : new Map([['repr', repr(cell)]])
    }),
  )

describe('pandas', () => {
  test.each(fixtureRows('pandas/read-csv.jsonl'))('reads %j as read_csv does', (_, text, columns, rows) => {
    const table = csvTable(textOf(text), 'pandas', 'data.csv')
    expect(table.columns).toEqual(columns)
    expect(cellsOf(table)).toEqual(rows)
  })

  test('takes lines of blanks for empty, of tabs only where these separate nothing', () => {
    const rows = (text: string, separator?: string): number =>
      csvTable(text, 'pandas', 'data.csv', separator === undefined ? {} : { separator }).rows.length
    expect(rows('a,b\n \t \n1,2\n')).toBe(1)
    expect(rows('a\tb\n \t \n  \n1\t2\n', '\t')).toBe(2)
    // A line of blanks at the end, without a line end.
    expect(rows('a,b\n1,2\n  ')).toBe(1)
  })

  test('keeps missing cells as they are written beside integers that only an unsigned number of 64 bits holds', () => {
    const cells = (large: string): unknown[][] =>
      cellsOf(csvTable(`a,b\n${large},x\nNA,y\n`, 'pandas', 'd.csv'))
    expect(cells('18446744073709551615').map(([cell]) => cell)).toEqual(['18446744073709551615', 'NA'])
    expect(cells('5').map(([cell]) => cell)).toEqual(
      ['5.0', 'nan'].map((shown) => new Map([['repr', shown]])),
    )
  })

  // As read_csv of pandas 2.3.3 gives them.
  test.each([
    [
      ['153193401486026354568904.21', '1'],
      ['153193401486026354568904.21', '1'],
    ],
    [
      ['1', '99999999999999999999e1'],
      ['1', '99999999999999999999e1'],
    ],
    [
      ['-99999999999999999999', '1.5'],
      [float(-1.0000000000000002e20), 1.5],
    ],
    [
      ['-99999999999999999999', '-1.5'],
      ['-99999999999999999999', '-1.5'],
    ],
    [
      ['9223372036854775808.5', '1'],
      [float(9223372036854778000), float(1)],
    ],
    [
      ['-9223372036854775808', 'NA'],
      [NaN, NaN],
    ],
    [
      ['9223372036854775808', '-9223372036854775809', 'NA'],
      ['9223372036854775808', '-9223372036854775809', 'NA'],
    ],
    [
      ['18446744073709551615', '-1e5', 'NA'],
      ['18446744073709551615', '-1e5', 'NA'],
    ],
    [
      ['18446744073709551616', '-1e5', 'NA'],
      ['18446744073709551616', '-1e5', NaN],
    ],
    [
      ['-9223372036854775809', '18446744073709551616', 'NA'],
      ['-9223372036854775809', '18446744073709551616', NaN],
    ],
    [
      ['-9223372036854775809', '-1', 'NA'],
      ['-9223372036854775809', '-1', NaN],
    ],
    [
      ['-9223372036854775808', '1'],
      [-9223372036854775808n, 1],
    ],
  ])('reads %j, of which digits pass int64, as the parser of pandas does', (given, read) => {
    const { rows } = csvTable(`a,b\n${given.map((cell) => `${cell},x\n`).join('')}`, 'pandas', 'd.csv')
    expect(rows.map(({ cells }) => cells.get('a'))).toEqual(read)
  })

  test.each([
    ['\n5', '7\r\n', 5, 7],
    ['5', '\r7.5\n', float(5), 7.5],
    ['-\n5', '7', '-\n5', '7'],
    ['5', 'inf\n', '5', 'inf\n'],
  ])('reads line breaks around a number in quotes as pandas does: %j, %j', (first, second, ...read) => {
    const { rows } = csvTable(`a,b\n"${first}",x\n"${second}",x\n`, 'pandas', 'd.csv')
    expect(rows.map(({ cells }) => cells.get('a'))).toEqual(read)
  })

  test('takes -0 for a negative number beside one that only an unsigned number of 64 bits holds', () => {
    const table = csvTable('a,b\n-0,x\n9223372036854775808,y\n', 'pandas', 'd.csv')
    expect(table.rows.map(({ cells }) => cells.get('a'))).toEqual(['-0', '9223372036854775808'])
  })

  test('refuses an empty cell or a blank behind a lone carriage return, where read_csv loses or repeats cells', () => {
    const read = (text: string) => () => csvTable(text, 'pandas', 'data.csv')
    for (const text of ['a,b\r\r,1\r', 'a,b\r x,1\r', 'a,b\nx,1\r\ty,2\r'])
      expect(problemAtOnce(read(text))).toMatchObject({ code: 'benchmarks/csv', where: { column: 1 } })
    expect(cellsOf(read('a,b\r"x",y\r  \r\r"",z\r\n,z\n')())).toHaveLength(3)
  })

  test('refuses a quote that never ends, as read_csv does', () => {
    expect(problemAtOnce(() => csvTable('a,b\n1,"open\n', 'pandas', 'data.csv'))).toMatchObject({
      code: 'benchmarks/csv',
      where: { line: 2, column: 3 },
    })
  })

  test('reads none as numbers where an integer beyond 64 bits comes first, all where a fraction does', () => {
    const column = (...cells: readonly string[]) =>
      csvTable(['a,b', ...cells.map((cell) => `${cell},x`)].join('\n'), 'pandas', 'd.csv').rows.map((row) =>
        row.cells.get('a'),
      )
    const beyond = '18446744073709551616'
    expect(column('1', beyond, '1.5')).toEqual(['1', beyond, '1.5'])
    expect(column('1', '1.5', beyond)).toEqual([float(1), 1.5, float(Number(beyond))])
  })

  test('reads numbers to the last bit as read_csv does', () => {
    for (const [text, expected] of fixtureRows('pandas/floats.jsonl'))
      expect([text, floatRepr(pandasFloat(textOf(text)) ?? NaN)]).toEqual([text, expected])
  })
})

describe('python', () => {
  const read = (text: string): unknown[][] => cellsOf(csvTable(text, 'python', 'data.csv'))
  const none = new Map([['repr', 'None']])

  test('keeps every cell as text, blank lines out and lines of blanks in', () => {
    expect(read('a,b\n001,NA\n\n \n')).toEqual([
      ['001', 'NA'],
      [' ', none],
    ])
  })

  test('turns line ends in quotes into \\n, and takes quotes inside and after quoted text as they come', () => {
    expect(read('a,b\r\n"x\r\ny\rz",5\' 2"\r\n"q"t"r,""""\n"open,1')).toEqual([
      ['x\ny\nz', '5\' 2"'],
      ['qt"r', '"'],
      ['open,1', none],
    ])
  })

  test('leaves a byte order mark in the first column name and drops cells beyond the header', () => {
    const table = csvTable('\ufeffa,b\n1,2,3\n', 'python', 'data.csv')
    expect(table.columns).toEqual(['\ufeffa', 'b'])
    expect(cellsOf(table)).toEqual([['1', '2']])
  })

  test('tells of cells beyond the header that hold something, and of columns of one name', () => {
    const told: unknown[] = []
    const rows = { ...STRICT_ROWS, readInPart: (where: Place, reason: string) => told.push([where, reason]) }
    csvTable('a,b,a,,\n1,2,3\n1,2,3,4,5,,\n1,2,3,4,5,,6\n', 'python', 'data.csv', { rows })
    expect(told).toEqual([
      [{ file: 'data.csv', line: 1 }, 'repeated-column'],
      [{ file: 'data.csv', line: 4, row: 3 }, 'extra-cells'],
    ])
  })

  test('is refused as a whole where the header did not decode, and by the row where a row did not', () => {
    const bad = new ProblemError({
      code: 'benchmarks/not-utf8',
      message: 'bad',
      where: { file: 'data.csv' },
      remedy: '',
    })
    const read = (line: number): unknown =>
      problemAtOnce(() =>
        csvTable('a,b\n1,2\n3,4\n', 'python', 'data.csv', { badLines: new Map([[line, bad]]) }),
      )
    expect(read(1)).toMatchObject({ where: { file: 'data.csv' } })
    expect(read(2)).toMatchObject({ where: { file: 'data.csv', line: 2, row: 1 } })
    expect(read(3)).toMatchObject({ where: { file: 'data.csv', line: 3, row: 2 } })
  })
})

describe('strict', () => {
  test('keeps cells as written and counts rows and lines', () => {
    const table = csvTable('\ufeffid,note\r\n001,"two\r\nlines"\r\n\r\n1e5, x \r\n', 'strict', 'data.csv')
    expect(cellsOf(table)).toEqual([
      ['001', 'two\r\nlines'],
      ['1e5', ' x '],
    ])
    expect(table.rows.map(({ row, line }) => [row, line])).toEqual([
      [1, 2],
      [2, 5],
    ])
  })

  test.each([
    ['a,b\n1,2\n3\n', 'benchmarks/ragged-row', { file: 'data.csv', line: 3, row: 2 }],
    ['a,b\n1,2,3\n', 'benchmarks/ragged-row', { file: 'data.csv', line: 2, row: 1 }],
    ['a,a\n1,2\n', 'benchmarks/duplicate-column', { file: 'data.csv', line: 1 }],
    ['a,b\n1,"open\n', 'benchmarks/csv', { file: 'data.csv', line: 2, column: 3 }],
    ['a,b\n1,"x"y\n', 'benchmarks/csv', { file: 'data.csv', line: 2, column: 6 }],
    ['\n \n', 'benchmarks/empty-file', { file: 'data.csv' }],
  ])('refuses %j with its place', (text, code, where) => {
    const problem = problemAtOnce(() => csvTable(text, 'strict', 'data.csv'))
    expect(problem).toMatchObject({ code, where })
    expect(problem?.remedy).not.toBe('')
  })

  test('columns may lack a name', () => {
    const [row] = csvTable('a,,\n1,2,3\n', 'strict', 'data.csv').rows
    expect(row?.cells.get('a')).toBe('1')
  })

  test('a table by semicolons is not asked for quotes', () => {
    const { remedy } = problemAtOnce(() => csvTable('a;b\n1,5;2\n', 'strict', 'data.csv')) ?? {}
    expect(remedy).toBe('Save it with commas in their place.')
  })

  test('pandas would take a row that is too long as an index and shift the columns: it is refused there too', () => {
    expect(problemAtOnce(() => csvTable('a,b\nx,y,\n', 'pandas', 'data.csv'))).toMatchObject({
      code: 'benchmarks/ragged-row',
    })
  })
})

test('Beside integers beyond int64 smaller ones are floats, as each row has one type.', () => {
  const cells = (text: string) => csvTable(text, 'pandas', 'a.csv').rows.map((row) => [...row.cells.values()])
  expect(cells('a,b\n1,18446744073709551615\n')).toEqual([[float(1), float(18446744073709552000)]])
  expect(cells('a,b\n1,2\n')).toEqual([[1, 2]])
})

test('Of lines that do not decode each leaves out its own row, and all are gone through once.', () => {
  const bad = new ProblemError({ code: 'benchmarks/not-utf8', message: 'bad', where: {}, remedy: '' })
  const badLines = new Map([1, 3, 5, 6, 8].map((line) => [line + 1, bad]))
  const walked = vi.spyOn(badLines, Symbol.iterator)
  const left: unknown[] = []
  const rows: RowGuard = {
    ...STRICT_ROWS,
    attempt: (make) => {
      try {
        return make()
      } catch (error) {
        left.push((error as ProblemError).problems[0]?.where)
        return undefined
      }
    },
  }
  // Row 2 has lines 3 and 4, row 3 lines 5 to 7, of which two are bad; behind row 4 is an empty line.
  const text = 'a,b\n1,x\n2,"x\ny"\n3,"x\ny\nz"\n4,x\n\n5,x\n'
  const table = csvTable(text, 'strict', 'a.csv', { rows, badLines })
  expect(left).toEqual([
    { file: 'a.csv', line: 2, row: 1 },
    { file: 'a.csv', line: 3, row: 2 },
    { file: 'a.csv', line: 5, row: 3 },
    { file: 'a.csv', line: 8, row: 4 },
  ])
  expect(table.rows.map(({ cells }) => cells.get('a'))).toEqual(['5'])
  expect(walked).toHaveBeenCalledTimes(1)
})
