import { expect, test } from 'vitest'
import { ProblemError } from '../../../cache/problem.ts'
import { repr } from '../../../benchmarks/python/number.ts'
import { xlsxTable } from '../../../benchmarks/sources/xlsx-table.ts'
import { workbook } from '../../rig/xlsx.ts'

/** Rows as pandas 2.3.3 and openpyxl 3.1.5 give them for the same bytes. */
const read = (bytes: Uint8Array) => {
  const { columns, rows } = xlsxTable(bytes, 'book.xlsx')
  return { columns, rows: rows.map(({ cells }) => columns.map((column) => repr(cells.get(column) ?? null))) }
}

test('Texts are joined from rich runs, without phonetic hints and without trimming.', () => {
  const strings =
    '<si><t>name</t></si>' +
    '<si><r><t xml:space="preserve"> plain </t></r><r><rPr><b/></rPr><t>bold</t></r></si>' +
    '<si><t>a&amp;b&#13;\r\n_x005F_x000D_</t><rPh sb="0" eb="1"><t>hint</t></rPh></si>'
  const rows =
    '<row r="1"><c r="A1" t="s"><v>0</v></c></row>' +
    '<row r="2"><c r="A2" t="s"><v>1</v></c></row>' +
    '<row r="3"><c r="A3" t="s"><v>2</v></c></row>'
  expect(read(workbook({ rows, strings }))).toEqual({
    columns: ['name'],
    rows: [["' plain bold'"], [String.raw`'a&b\r\n_x000D_'`]],
  })
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

const dated = (value: string, format: number): Uint8Array =>
  workbook({
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

test('A duration is refused with its row and column.', () => {
  expect(() => xlsxTable(dated('1.5', 46), 'book.xlsx')).toThrowError(ProblemError)
  expect(() => xlsxTable(dated('1.5', 46), 'book.xlsx')).toThrowError('column 1 of sheet row 2')
})

test('Bytes that are no workbook are refused by name.', () => {
  expect(() => xlsxTable(new TextEncoder().encode('a,b\n'), 'book.xlsx')).toThrowError(
    /benchmarks\/xlsx: book\.xlsx/,
  )
})
