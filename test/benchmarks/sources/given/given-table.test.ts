import { array, assert, constantFrom, property, stringMatching, tuple } from 'fast-check'
import { zipSync } from 'fflate'
import { describe, expect, it, test } from 'vitest'
import { csvTable } from '../../../../benchmarks/sources/csv/csv-table.ts'
import { givenRows, givenTable, takenFor } from '../../../../benchmarks/sources/given/given-table.ts'
import { missingColumn } from '../../../../benchmarks/sources/table.ts'
import { problemOf } from '../../../rig/problem-of.ts'
import { workbook } from '../../../rig/xlsx.ts'

const given = (text: string | Uint8Array, file = 'notes.csv', sheet?: string) =>
  givenTable(typeof text === 'string' ? Buffer.from(text) : text, file, sheet)
const problem = (text: string | Uint8Array, file?: string, sheet?: string) =>
  problemOf(() => given(text, file, sheet))

const WRITTEN = 'note,answer\n"a, b",yes\n"1,5",no\n'

describe('a table by any separator', () => {
  it.each([
    ['semicolons', 'note;answer\na, b;yes\n1,5;no\n'],
    ['tabs', 'note\tanswer\na, b\tyes\n1,5\tno\n'],
    ['bars', 'note|answer\r\na, b|yes\r\n1,5|no\r\n'],
    ['semicolons', 'sep=;\r\nnote;answer\r\na, b;yes\r\n1,5;no\r\n'],
  ])('has its cells as written where they are separated by %s, and says so', (kind, text) => {
    expect(given(text)).toEqual({
      columns: ['note', 'answer'],
      others: [],
      text: WRITTEN,
      notes: [`Read 2 rows of CSV by ${kind}.`],
    })
  })

  it('has no mark of its encoding in the first column’s name, as Excel writes one', () => {
    expect(given('\ufeffnote;answer\na, b;yes\n1,5;no\n')).toMatchObject({
      columns: ['note', 'answer'],
      text: WRITTEN,
    })
    expect(given(`\ufeff${WRITTEN}`)).toMatchObject({ columns: ['note', 'answer'], text: WRITTEN })
  })

  it('stays as it is to the byte where commas separate, but for rows of nothing, which are counted', () => {
    const plain = 'note,answer\r\n"a, ""b""\nc",yes'
    expect(given(plain).text).toBe(plain)
    expect(given('note,answer\na,yes\n,\n  ,\n')).toEqual({
      columns: ['note', 'answer'],
      others: [],
      text: 'note,answer\na,yes\n',
      notes: ['Read 1 row of CSV by commas.', 'Left out 2 rows in which no cell holds anything.'],
    })
  })

  it('is refused where two separators fit, and where none does, by what the header has', async () => {
    expect(await problem('a;b,c\n1;2,3\n')).toMatchObject({
      code: 'benchmarks/csv',
      message: expect.stringContaining('by commas or by semicolons') as string,
    })
    expect(given('"a;b",c\n1;2,3\n').columns).toEqual(['a;b', 'c'])
    // What stands in the header alone separates nothing.
    expect(given('a;b,c\n1;2\n').columns).toEqual(['a', 'b,c'])
    expect(await problem('a;b\n1;2;3\n')).toMatchObject({
      code: 'benchmarks/ragged-row',
      remedy: 'Put a cell that holds a semicolon into double quotes.',
    })
  })

  it('tells which columns have empty cells, without a word of any', () => {
    const { notes } = given('note,answer\nsecret,\n,yes\nx,\n')
    expect(notes).toEqual([
      'Read 3 rows of CSV by commas.',
      'Empty cells: "note" in 1 of 3 rows, first in line 3; "answer" in 2 of 3 rows, first in line 2.',
    ])
  })

  it('is rows of texts, with a word of what it was taken for where it could be something else', () => {
    const read = (text: string, file = 'r.csv') => {
      const rows = givenRows(Buffer.from(text), file)
      return [rows.table.rows.map(({ cells }) => [...cells.values()]), takenFor(rows)]
    }
    expect(read('rater,score\nann,4\n,\n')).toEqual([[['ann', '4']], undefined])
    expect(read('rater;score\nann;4\n')).toEqual([[['ann', '4']], 'r.csv: read 1 row of CSV by semicolons.'])
    expect(read('{"rater": "ann", "score": 4}', 'r.jsonl')).toEqual([
      [['ann', '4']],
      'r.jsonl: read 1 row of JSON lines.',
    ])
  })

  it('has of JSON the order of keys and the digits of numbers, and refuses half of an emoji', async () => {
    const nested = '{"b":1.0,"10":12345678901234567890,"2":["é",NaN]}'
    expect(given(`{"note": ${nested}}`, 'x.jsonl').text).toBe(`note\n"${nested.replaceAll('"', '""')}"\n`)
    expect(await problem('{"a": "x"}\n{"a": "\\ud83d"}', 'x.jsonl')).toMatchObject({
      code: 'benchmarks/not-text',
      where: { line: 2, field: 'a' },
    })
  })

  it('needs a row', async () => {
    for (const text of ['', 'note,answer\n', 'note,answer\n,\n', '[]'])
      expect(await problem(text, text === '[]' ? 'x.json' : 'x.csv')).toMatchObject({
        code: 'benchmarks/empty-file',
      })
  })
})

test('Whatever cells hold, the reader of data finds in what is written.', () => {
  const cell = stringMatching(/^[a-zü,;"\n \t-]{1,8}$/u)
  assert(
    property(
      // Of blank rows alone there is no table.
      array(tuple(cell, cell), { minLength: 1, maxLength: 6 }).filter((rows) =>
        rows.some((row) => row.some((one) => one.trim() !== '')),
      ),
      constantFrom(';', '\t'),
      (rows, by) => {
        const quoted = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(by))
        const { text } = given(['sep=' + by, `A${by}B`, ...quoted].join('\n'))
        const read = csvTable(text, 'strict', 'data.csv').rows.map(({ cells }) => [...cells.values()])
        expect(read).toEqual(rows.filter((row) => row.some((one) => one.trim() !== '')))
      },
    ),
  )
})

describe('a table without names of its columns', () => {
  const rest = '\nSmoked once.,no\nNever smoked.,no\n'
  it.each([
    ['column 1 is a sentence', '"Mr Miller, 62, has smoked since 1980.",maybe' + rest],
    ['column 1 is a sentence', `${'x'.repeat(61)},maybe${rest}`],
    ['column 2 stands in line 3, too', 'Smokes,maybe\nSmoked once,\nNever smoked,maybe\n'],
    ['column 2 is an answer', `Smokes,Yes${rest}`],
    ['column 1 is a number or a day', '62,maybe\n70,\n'],
    ['column 2 is an answer', 'Smokes,No\nSmoked once,yes\n'],
    ['column 1 is a number or a day', '2020-03-01,maybe\n2020-03-02,\n'],
    ['column 1 is a number or a day', `Seen 2020-03-01,maybe${rest}`],
  ])('is refused, and none of its words told: %s', async (message, text) => {
    const found = await problem(text)
    expect(found?.code).toBe('benchmarks/no-header')
    expect(found?.message).toContain(message)
    expect(`${found?.message}${found?.remedy}`).not.toMatch(/Miller|x{9}|Smokes/)
  })

  it('is told by the line that is its first again, as where two exports are in one file', async () => {
    const found = await problem('note,correct_answer\na,x\nnote,correct_answer\nb,y\n')
    expect(found).toMatchObject({ code: 'benchmarks/no-header', message: 'line 3 is the first line again' })
    // Of one column that tells nothing: its first line may as well be a row.
    expect((await problem('name\nann\nname\n'))?.message).toContain('its first line seems to be a row')
  })

  it('is none where answers are named, and where the names stand beside each value', () => {
    const { columns } = given('How old were you on 2020-03-01?,correct_answer\n70,x\n')
    expect(columns).toEqual(['How old were you on 2020-03-01?', 'correct_answer'])
    expect(given('{"62": "a", "no": "no"}\n', 'a.jsonl').columns).toEqual(['62', 'no'])
    expect(given('id,age_2019,ICD-10\n1,2,3\n').columns).toEqual(['id', 'age_2019', 'ICD-10'])
    // Nothing below is like them.
    expect(given('No,1,2020-03-01\n1,mild,7.5\n2,none,8\n').columns).toEqual(['No', '1', '2020-03-01'])
  })

  it('tells its first row by length where two columns would have one name, or a benchmark finds none of its own', async () => {
    const text = 'Mr Miller has smoked since 1980 and coughs.'
    const twice = await problem(`${text},${text}\na,b\n`)
    expect(twice?.message).toMatch(/two columns \[43 characters withheld/)
    const missing = missingColumn({ file: 'a.csv', columns: [text, 'note'], rows: [] }, 'answer', 'it')
    expect(missing.problems[0]?.remedy).toMatch(/columns \[43 characters withheld, sha256 \w+\], "note"\./)
    // Nor where it begins as the column that is missing.
    const begun = missingColumn(
      { file: 'a.csv', columns: [`Question: ${text}`, 'note'], rows: [] },
      'question',
      'it',
    )
    expect(begun.problems[0]?.remedy).not.toContain('Miller')
  })
})

describe('a text of another encoding', () => {
  it('is read as UTF-16 where it says so', () => {
    const little = Buffer.from('\ufeffnote\tanswer\nRückfall\tja\n', 'utf16le')
    expect(given(little).text).toBe('note,answer\nRückfall,ja\n')
    expect(given(Buffer.from(little).swap16()).text).toBe('note,answer\nRückfall,ja\n')
  })

  it('is refused where it does not, and where it is of one byte a letter', async () => {
    for (const bytes of [
      Buffer.from('note,answer\na,b\n', 'utf16le'),
      Buffer.from('note,answer\nRückfall,ja\n', 'latin1'),
    ])
      expect(await problem(bytes)).toMatchObject({
        code: 'benchmarks/not-utf8',
        remedy: expect.stringContaining('UTF-8') as string,
      })
  })
})

test.each([
  '<html>\n<table>\n</table>\n',
  '<meta charset="x">\n<table>\n',
  '<!-- x -->\n<table>\n',
  '<?xml version="1.0"?>\n<a>\n</a>\n',
  '{\\rtf1\\ansi\n{x}\n}\n',
])('a page that is called a workbook is refused: it was a column of markup (%#)', async (text) => {
  expect(await problem(text, 'export.xls')).toMatchObject({ code: 'benchmarks/csv', where: { line: 1 } })
})

test.each([',', ';', '\t', '|'])(
  'a table whose first column is called <div> is no page, by %j',
  (separator) => {
    const rows = [
      ['<div>', 'answer'],
      ['<p>a</p>', 'yes'],
      ['<table>', 'no'],
    ]
    const text = rows.map((cells) => `${cells.join(separator)}\n`).join('')
    expect(given(text, 'x.csv').text).toBe('<div>,answer\n<p>a</p>,yes\n<table>,no\n')
  },
)

describe('JSON', () => {
  it('gives a row an object, in one list or a line each, lists as the references take them', () => {
    const rows = '{"note": "ü", "age": 7.0, "wrong": ["no", "ö"]}\n{"note": "b", "late": true}'
    const text = 'note,age,wrong,late\nü,7.0,"[""no"",""ö""]",\nb,,,true\n'
    expect(given(rows, 'x.jsonl')).toMatchObject({ text })
    expect(given(`[${rows.replace('\n', ',')}]`, 'x.json')).toMatchObject({ text })
    expect(given(rows, 'x.jsonl').notes[0]).toBe('Read 2 rows of JSON lines.')
  })

  it('keeps the digits of numbers, also those that no double has', () => {
    const row = '{"dose": 1.50, "id": 0.12345678901234567890, "far": 1e400, "in": {"v": -0, "w": [5.40]}}'
    expect(given(row, 'x.jsonl').text).toBe(
      'dose,id,far,in\n1.50,0.12345678901234567890,1e400,"{""v"":-0,""w"":[5.40]}"\n',
    )
  })

  it('has no row for a line of blanks, as many exports end with', () => {
    expect(given('{"a": "x"}\n\n{"a": "y"}\n \n\n', 'x.jsonl').text).toBe('a\nx\ny\n')
  })

  it('is refused where a list within one object holds the rows, as in a bundle of FHIR', async () => {
    for (const text of [
      '{"entry": [{"a": "x"}]}',
      '{"entry": [{"a": NaN}]}',
      '{\n  "a": {"0": "x"},\n  "b": {"0": "y"}\n}\n',
    ])
      expect(await problem(text, 'x.json')).toMatchObject({ code: 'benchmarks/json-rows' })
  })

  it('is refused where it holds something else', async () => {
    // Which of two scores is meant?
    const twice = '{"a": {"b": 1, "b": 2}}'
    for (const [text, file] of [
      [twice, 'x.jsonl'],
      [`[${twice}]`, 'x.json'],
    ] as const)
      expect(await problem(text, file)).toMatchObject({ code: 'benchmarks/json', where: { line: 1 } })
    expect(await problem('[1]', 'x.json')).toMatchObject({ code: 'benchmarks/json-rows' })
    expect(await problem('{"a": ', 'x.jsonl')).toMatchObject({ code: 'benchmarks/json' })
  })
})

describe('a workbook', () => {
  const text = (cell: string, value: string): string =>
    `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`
  const head = `<row r="1">${text('A1', 'note')}${text('B1', 'age')}${text('C1', 'seen')}</row>`
  const formats = '<xf numFmtId="0"/><xf numFmtId="14"/>'
  const rows = `${head}<row r="2">${text('A2', 'a;_x000D_\nb')}<c r="B2"><v>70.5</v></c><c r="C2" s="1"><v>45000</v></c></row><row r="5">${text('A5', 'c')}</row>`
  const hidden = `<row r="1">${text('A1', 'code')}</row><row r="2">${text('A2', 'x')}</row>`

  it('gives its first sheet in sight, names the others, and tells what was no text', () => {
    expect(given(workbook({ rows, formats, hidden }), 'x.xlsx')).toEqual({
      columns: ['note', 'age', 'seen'],
      others: ['"codes" (hidden)'],
      text: 'note,age,seen\n"a;\nb",70.5,2023-03-15\nc,,\n',
      notes: [
        'Read 2 rows of the sheet "first". Not text, and written by value, not as Excel shows it: "age", "seen".',
        'Not read: the sheet "codes" (hidden).',
        'Empty cells: "age" in 1 of 2 rows, first in line 5; "seen" in 1 of 2 rows, first in line 5.',
      ],
    })
  })

  it('is none where a zip archive holds a table or a sheet of another program', async () => {
    for (const name of ['data.csv', 'content.xml'])
      expect(await problem(zipSync({ [name]: Buffer.from('a') }), 'x.zip')).toMatchObject({
        code: 'benchmarks/xlsx',
        remedy: 'Save a sheet as .xlsx; unpack what holds a table.',
      })
  })

  it('gives rows that are hidden, as by a filter, and says how many', () => {
    const filtered = rows.replace('<row r="5">', '<row r="5" hidden="1">')
    expect(given(workbook({ rows: filtered, formats }), 'x.xlsx')?.notes[0]).toMatch(
      /^Read 2 rows of the sheet "first", 1 of them hidden\. /,
    )
  })

  it('gives the sheet that is named, and knows those that are like it', async () => {
    const bytes = workbook({ rows, hidden })
    expect(given(bytes, 'x.xlsx', 'codes').text).toBe('code\nx\n')
    expect(await problem(bytes, 'x.xlsx', 'code')).toMatchObject({
      code: 'benchmarks/xlsx',
      remedy: 'Did you mean "codes"? It has "codes", "first".',
    })
  })

  it('names the others where the first is no table', async () => {
    const cover = workbook({ rows: `<row r="1">${text('A1', 'Export')}</row>`, hidden })
    const titled = workbook({ rows, after: '<mergeCells><mergeCell ref="A1:C1"/></mergeCells>', hidden })
    for (const bytes of [cover, titled])
      expect((await problem(bytes, 'x.xlsx'))?.remedy).toMatch(/ Not read: the sheet "codes" \(hidden\)\.$/)
  })

  it.each([
    ['merged: A2:A4;', { rows, after: '<mergeCells><mergeCell ref="A2:A4"/></mergeCells>' }],
    ['no value yet: B2', { rows: rows.replace('<v>70.5</v>', '<f>1+1</f>') }],
    ['no value yet: B2', { rows: rows.replace('<v>70.5</v>', '<f>1+1</f><v/>') }],
    ['#N/A: B2', { rows: rows.replace('<c r="B2">', '<c r="B2" t="e">') }],
    [
      'B5 of the sheet holds something',
      { rows: `<row r="1">${text('A1', 'Our notes')}</row><row r="5">${text('B5', 'x')}</row>` },
    ],
    ['two columns "note"', { rows: rows.replace('>age<', '>note<') }],
  ])('is refused where cells would be lost or guessed: %s', async (message, parts) => {
    expect((await problem(workbook(parts), 'x.xlsx'))?.message).toContain(message)
  })

  it('takes a formula that came to nothing for an empty cell', () => {
    const bytes = workbook({
      rows: rows.replace('<c r="B2"><v>70.5</v>', '<c r="B2" t="str"><f>""</f><v></v>'),
    })
    expect(given(bytes, 'x.xlsx').text).toContain('b",,45000')
  })

  it('names columns whose values several rows have, as a patient’s number, and none that all or hardly any rows share', () => {
    const lines = Array.from(
      { length: 40 },
      (_, at) => `${at},P${at >> 1},${at % 3},${at % 40 === 39 ? 0 : at},${at >> 2}`,
    )
    const { notes } = givenTable(
      Buffer.from(['row,patient,ward,nearly,correct_answer', ...lines].join('\n')),
      'a.csv',
    )
    expect(notes.join('\n')).toContain(
      'Values repeat: "patient" (20 values in 40 rows). If one of these says whose row it is, such as a patient\'s, name it in benchmark.yaml, for instance `cluster: "patient"`',
    )
    expect(
      givenTable(
        Buffer.from(['row,ward', ...lines.map((line) => line.replace(/,.*/, ',1'))].join('\n')),
        'a.csv',
      ).notes.join(' '),
    ).not.toContain('repeat')
  })
})
