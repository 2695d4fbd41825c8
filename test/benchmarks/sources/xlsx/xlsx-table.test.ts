import { expect, test } from 'vitest'
import { repr } from '../../../../benchmarks/python/numbers/number.ts'
import { xlsxSheet } from '../../../../benchmarks/sources/xlsx/xlsx-sheet.ts'
import { xlsxTable } from '../../../../benchmarks/sources/xlsx/xlsx-table.ts'
import { workbook } from '../../../rig/xlsx.ts'

/** Rows as pandas 2.3.3 and openpyxl 3.1.5 give them for the same bytes. */
const read = (bytes: Uint8Array) => {
  const { columns, rows } = xlsxTable(bytes, 'book.xlsx')
  return { columns, rows: rows.map(({ cells }) => columns.map((column) => repr(cells.get(column) ?? null))) }
}

test('Texts are joined from rich runs, without phonetic hints and without trimming.', () => {
  const strings =
    '<si><t>name</t></si>' +
    '<si><r><t xml:space="preserve"> plain </t></r><r><rPr><b/></rPr><t>bold</t></r></si>' +
    '<si><t>a&amp;b&#13;\r\n_x005F_x000D__x005F_x</t><rPh sb="0" eb="1"><t>hint</t></rPh></si>' +
    '<si><r><t>a run, </t></r><t>plain: </t></si>'
  const rows =
    '<row r="1"><c r="A1" t="s"><v>0</v></c></row>' +
    '<row r="2"><c r="A2" t="s"><v>1</v></c></row>' +
    '<row r="3"><c r="A3" t="s"><v>2</v></c></row>' +
    '<row r="4"><c r="A4" t="s"><v>3</v></c></row>'
  expect(read(workbook({ rows, strings }))).toEqual({
    columns: ['name'],
    rows: [["' plain bold'"], [String.raw`'a&b\r\n_x000D__x'`], ["'plain: a run, '"]],
  })
})

test('A heading that is a number or a truth value is named as Python prints it.', () => {
  const rows =
    '<row r="1"><c r="A1"><v>7</v></c><c r="B1"><v>2.5</v></c><c r="C1" t="b"><v>1</v></c></row>' +
    '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c><c r="C2"><v>3</v></c></row>'
  expect(read(workbook({ rows })).columns).toEqual(['7', '2.5', 'True'])
})

test('Columns are typed as pandas types them, and gaps in rows and columns are NaN.', () => {
  const text = (cell: string, value: string): string =>
    `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`
  const rows =
    `<row r="1">${['A', 'B', 'C', 'E', 'F'].map((column) => text(`${column}1`, column === 'F' ? 'A' : column)).join('')}</row>` +
    `<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>1</v></c><c r="C2" t="b"><v>1</v></c><c r="E2"><v>2.5</v></c>${text('F2', '007')}</row>` +
    `<row r="4"><c r="A4"><v>2</v></c>${text('B4', 'NA')}<c r="C4" t="b"><v>0</v></c><c r="E4" t="e"><v>#DIV/0!</v></c>${text('F4', 'bond')}</row>` +
    '<row r="9"><c r="A9"/></row>'
  expect(read(workbook({ rows }))).toEqual({
    columns: ['A', 'B', 'C', 'Unnamed: 3', 'E', 'A.1'],
    rows: [
      ['1.0', '1.0', '1.0', 'nan', '2.5', "'007'"],
      ['nan', 'nan', 'nan', 'nan', 'nan', 'nan'],
      ['2.0', 'nan', '0.0', 'nan', 'nan', "'bond'"],
    ],
  })
})

const dated = (
  value: string,
  format: number,
  more: Partial<Parameters<typeof workbook>[0]> = {},
): Uint8Array =>
  workbook({
    ...more,
    rows: `<row r="1"><c r="A1" t="str"><v>d</v></c></row><row r="2"><c r="A2" s="1"><v>${value}</v></c></row>`,
    formats: `<xf numFmtId="0"/><xf numFmtId="${format}"/>`,
  })

test.each([
  ['45000', 14, '2023-03-15 00:00:00'],
  ['45296.354166666664', 22, '2024-01-05 08:30:00'],
  ['0.354166666666667', 20, '08:30:00'],
  ['59', 14, '1900-02-28 00:00:00'],
  ['61', 14, '1900-03-01 00:00:00'],
  ['45000.0000057870', 22, '2023-03-15 00:00:00.500000'],
])('The number %s in format %i reads as openpyxl and Python show it.', (value, format, shown) => {
  const [row] = xlsxTable(dated(value, format), 'book.xlsx').rows
  expect(row?.cells.get('d')).toBe(shown)
})

test('A workbook’s own calendar counts, and a chart in front of its sheets does not.', () => {
  const [row] = xlsxTable(
    dated('1', 14, { before: '<workbookPr date1904="1"/>', chart: true }),
    'book.xlsx',
  ).rows
  expect(row?.cells.get('d')).toBe('1904-01-02 00:00:00')
})

test('A sheet without a row is refused.', () => {
  expect(() => xlsxTable(workbook({ rows: '' }), 'book.xlsx')).toThrowError(/benchmarks\/empty-file/)
})

test('Bytes that are no workbook are refused by name.', () => {
  expect(() => xlsxTable(new TextEncoder().encode('a,b\n'), 'book.xlsx')).toThrowError(
    /benchmarks\/xlsx: book\.xlsx/,
  )
})

/** Texts of the cells below a header `d`; `styled` cells have the second format. */
const columnOf = (
  cells: readonly string[],
  format = 0,
  more: Parameters<typeof workbook>[0] = { rows: '' },
) =>
  read(
    workbook({
      formats: `<xf numFmtId="0"/><xf numFmtId="${format}"/>`,
      ...more,
      rows: `<row r="1"><c r="A1" t="str"><v>d</v></c><c r="B1" t="str"><v>e</v></c></row>${cells
        .map(
          (cell, index) =>
            `<row r="${index + 2}">${cell.replace('<c', `<c r="A${index + 2}"`)}<c r="B${index + 2}" t="str"><v>t</v></c></row>`,
        )
        .join('')}`,
    }),
  ).rows.map(([cell]) => cell)
const number = (value: string): string => `<c><v>${value}</v></c>`
const styled = (value: string): string => `<c s="1"><v>${value}</v></c>`
const typed = (type: string, value: string): string => `<c t="${type}"><v>${value}</v></c>`
const WORD = typed('str', 'word')

test.each([
  ['12345678901234567890', '12345678901234567890'],
  ['9007199254740993', '9007199254740993'],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
  ['1E3', '1000'],
  ['1.0E+20', '100000000000000000000'],
  ['1.50', '1.5'],
  ['-0.0', '0'],
])('The number %s among texts is %s.', (written, wanted) => {
  expect(columnOf([number(written), WORD])[0]).toBe(wanted)
})

test.each([
  [
    ['9007199254740993', '1'],
    ['9007199254740993', '1'],
  ],
  [
    ['12345678901234567890', '2'],
    ['12345678901234567890', '2'],
  ],
  [
    ['18446744073709551616', '2'],
    ['1.8446744073709552e+19', '2.0'],
  ],
  [
    ['18446744073709551615', '-1'],
    ['18446744073709551615', '-1'],
  ],
])('A column of the numbers %s is %s.', (written, wanted) => {
  expect(columnOf(written.map(number))).toEqual(wanted)
})

test.each([
  ['2024-01-05', "'2024-01-05'"],
  ['2024-01-05T08:30:00Z', "'2024-01-05 08:30:00'"],
  ['2024-01-05T08:30:00.123456', "'2024-01-05 08:30:00.123000'"],
  ['08:30', "'08:30:00'"],
  ['PT36H5M', "'1 day, 12:05:00'"],
])('The date %s in ISO form is %s.', (written, wanted) => {
  expect(columnOf([typed('d', written), WORD])[0]).toBe(wanted)
})

test.each([
  ['1.5', "'1 day, 12:00:00'", "'1 days 12:00:00'"],
  ['0.25', "'6:00:00'", "'0 days 06:00:00'"],
  ['-0.5', "'-1 day, 12:00:00'", "'-1 days +12:00:00'"],
  ['1.000005787', "'1 day, 0:00:00.500000'", "'1 days 00:00:00.500000'"],
])('The duration %s is %s among texts and %s among its like.', (written, mixed, alone) => {
  expect(columnOf([styled(written), WORD], 46)[0]).toBe(mixed)
  expect(columnOf([styled(written), '<c/>'], 46)).toEqual([alone, "'NaT'"])
})

test('A day that Python does not have is an error cell, and errors are NaN.', () => {
  expect(columnOf([styled('2958466'), typed('e', '#DIV/0!'), WORD], 14)).toEqual(['nan', 'nan', "'word'"])
})

test.each([
  [typed('n', 'abc')],
  [typed('n', '1e400')],
  [typed('s', '99')],
  [typed('b', 'true')],
  [typed('d', '2024-02-30')],
])('A cell that holds nothing of its kind is refused with its place: %s', (cell) => {
  expect(() => columnOf([WORD, cell])).toThrowError(/column 1 of sheet row 3/)
})

test('Of a cell its own first value and text count, not those of an extension.', () => {
  const cells = [
    '<c t="str"><v>a</v><v>b</v><extLst><ext><v>z</v></ext></extLst></c>',
    '<c t="inlineStr"><is><t>x</t><rPh sb="0" eb="1"><t>hint</t></rPh></is></c>',
    '<c><f>6*7</f><v>42</v></c>',
    WORD,
  ]
  expect(columnOf(cells)).toEqual(["'a'", "'x'", '42', "'word'"])
})

test('Rows that come again or late are left out.', () => {
  const row = (at: number, text: string): string =>
    `<row r="${at}"><c r="A${at}" t="str"><v>${text}</v></c></row>`
  expect(
    read(workbook({ rows: row(1, 'd') + row(3, 'three') + row(2, 'two') + row(3, 'again') })).rows,
  ).toEqual([['nan'], ["'three'"]])
})

test('A row is as long as its last cell says, and what holds an empty text makes no sheet longer.', () => {
  const text = (cell: string, value: string): string =>
    `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`
  const rows = `<row r="1">${text('A1', 'd')}${text('B1', 'e')}</row><row r="2">${text('B2', 'late')}${text('A2', 'x')}</row>`
  const empty = `<row r="3">${text('C3', '')}</row>`
  expect(read(workbook({ rows: rows + empty }))).toEqual({ columns: ['d', 'e'], rows: [["'x'", 'nan']] })
})

test('A day that pandas can’t count in nanoseconds leaves its column as texts.', () => {
  const [early, late] = [styled('45000'), styled('2958465')]
  expect(columnOf([early, '<c/>'], 14)).toEqual(["'2023-03-15 00:00:00'", "'NaT'"])
  expect(columnOf([early, late, '<c/>'], 14)).toEqual([
    "'2023-03-15 00:00:00'",
    "'9999-12-31 00:00:00'",
    'nan',
  ])
})

test('A formula whose value is an empty text has one, and one that was never calculated has none.', () => {
  const sheet = (value: string) =>
    xlsxSheet(workbook({ rows: `<row r="1"><c r="A1" t="str"><f>B1</f>${value}</c></row>` }), 'book.xlsx')
  expect(['<v></v>', ''].map((value) => sheet(value).uncalculated)).toEqual([[], ['A1']])
})

test('A cell at the end of the sheet costs nothing.', () => {
  const far = '<row r="1048576"><c r="XFD1048576"/></row>'
  const rows = `<row r="1"><c r="A1" t="str"><v>d</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>`
  expect(read(workbook({ rows: rows + far })).rows).toEqual([['1']])
  const { columns } = read(workbook({ rows: `${rows}<row r="3"><c r="XFD3"><v>1</v></c></row>` }))
  expect(columns).toHaveLength(16_384)
})

test('An archive that unpacks to gigabytes is refused.', () => {
  const bytes = Buffer.from(workbook({ rows: '' }))
  const name = 'xl/worksheets/sheet1.xml'
  for (
    let at = bytes.indexOf('PK\x01\x02', 0, 'latin1');
    at !== -1;
    at = bytes.indexOf('PK\x01\x02', at + 1, 'latin1')
  )
    if (bytes.toString('latin1', at + 46, at + 46 + name.length) === name)
      bytes.writeUInt32LE(0xfffffff0, at + 24)
  expect(() => xlsxTable(bytes, 'book.xlsx')).toThrowError(/MiB/)
})

test('A damaged part is told by its checksum.', () => {
  const bytes = Buffer.from(workbook({ rows: '<row r="1"><c r="A1"><v>1</v></c></row>' }))
  const name = 'xl/worksheets/sheet1.xml'
  for (
    let at = bytes.indexOf('PK\x01\x02', 0, 'latin1');
    at !== -1;
    at = bytes.indexOf('PK\x01\x02', at + 1, 'latin1')
  )
    if (bytes.toString('latin1', at + 46, at + 46 + name.length) === name) bytes.writeUInt32LE(7, at + 16)
  expect(() => xlsxTable(bytes, 'book.xlsx')).toThrowError(/checksum/)
})

test('Truth values alone stay such; beside texts a value is the first of its equals, and 1 is equal to TRUE, as in pandas.', () => {
  const truth = '<c t="b"><v>1</v></c>'
  const one = '<c><v>1</v></c>'
  const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const column = (...cells: readonly string[]): readonly unknown[] => {
    const rows = [text('name'), ...cells].map((cell) => `<row>${cell}</row>`).join('')
    return read(workbook({ rows })).rows.map(([cell]) => cell)
  }
  expect(column(truth, '<c t="b"><v>0</v></c>')).toEqual(['True', 'False'])
  expect(column(truth, one)).toEqual(['1', '1'])
  expect(column(truth, one, text('x'))).toEqual(['True', 'True', "'x'"])
  expect(column(text('x'), one, truth)).toEqual(["'x'", '1', '1'])
  expect(column(truth, one, text('TRUE'))).toEqual(['True', 'True', 'True'])
  expect(column(one, truth, text('TRUE'))).toEqual(['1', '1', "'TRUE'"])
})
