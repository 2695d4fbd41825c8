import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { docxParagraphs } from '../../../benchmarks/sources/docx-paragraphs.ts'
import { jsonLines, jsonTable } from '../../../benchmarks/sources/json-table.ts'
import { gunzip, ZipArchive, zipMember } from '../../../benchmarks/sources/unzip.ts'
import { elementsOf, ownText, xmlTree } from '../../../benchmarks/sources/xml/xml-tree.ts'
import { problemOf } from '../../rig/problem-of.ts'

const docx = (body: string): Uint8Array =>
  zipSync({
    'word/document.xml': strToU8(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ),
  })
const run = (inside: string, colour = ''): string =>
  `<w:r>${colour === '' ? '' : `<w:rPr><w:color w:val="${colour}"/></w:rPr>`}${inside}</w:r>`

test('A paragraph is the text of its runs and links, with tabs, line breaks and hyphens.', () => {
  const inside = [
    run('<w:t>a</w:t><w:tab/><w:t xml:space="preserve"> b</w:t><w:br/><w:br w:type="page"/><w:cr/>'),
    '<w:bookmarkStart/>',
    `<w:hyperlink>${run('<w:t>link</w:t><w:noBreakHyphen/>')}</w:hyperlink>`,
    `<w:ins>${run('<w:t>suggested</w:t>')}</w:ins>`,
  ].join('')
  const bytes = docx(
    `<w:p>${inside}</w:p><w:tbl><w:tr><w:tc><w:p>${run('<w:t>cell</w:t>')}</w:p></w:tc></w:tr></w:tbl><w:p/>`,
  )
  expect(docxParagraphs(bytes, 'x.docx')).toEqual([
    { text: 'a\t b\n\nlink-', colours: [] },
    { text: '', colours: [] },
  ])
})

test('Only colours of runs that stand in the paragraph itself count.', () => {
  const mark = '<w:pPr><w:rPr><w:color w:val="FF0000"/></w:rPr></w:pPr>'
  const bytes = docx(
    `<w:p>${mark}${run('<w:t>a</w:t>', 'ff0000')}<w:hyperlink>${run('<w:t>b</w:t>', '0000FF')}</w:hyperlink></w:p>`,
  )
  expect(docxParagraphs(bytes, 'x.docx')).toEqual([{ text: 'ab', colours: ['FF0000'] }])
})

test('Text of XML is decoded, line ends are one, and a comment splits nothing.', () => {
  const text = '\ufeff<a>\r\n<b k="1">x &amp; <!-- no -->y<![CDATA[<z>]]></b><b><c/>tail</b><b/></a>'
  const root = xmlTree(Buffer.from(text), 'x.xml')
  expect(elementsOf(root, 'b').map(ownText)).toEqual(['x & y<z>', undefined, undefined])
  expect(elementsOf(root)[0]?.attributes).toEqual({ k: '1' })
  expect(root.children[0]).toBe('\n')
})

test('Broken XML is an error with its line.', async () => {
  expect(await problemOf(() => xmlTree(Buffer.from('<a>\n<b></a>'), 'x.xml'))).toMatchObject({
    code: 'benchmarks/xml',
    where: { file: 'x.xml', line: 2 },
  })
})

test('A member of an archive is found by its path; another near it is suggested.', async () => {
  const bytes = zipSync({ 'data/train.json': strToU8('[]'), 'data/dev.json': strToU8('[1]') })
  expect(Buffer.from(zipMember(bytes, 'data/dev.json', 'x.zip')).toString()).toBe('[1]')
  expect(await problemOf(() => zipMember(bytes, 'data/Dev.json', 'x.zip'))).toMatchObject({
    code: 'benchmarks/missing-member',
    remedy: expect.stringContaining('data/dev.json') as string,
  })
})

test('A member may be named at the top or in one folder there, and in none below.', () => {
  const nameIn = (...names: readonly string[]): string =>
    new ZipArchive(zipSync(Object.fromEntries(names.map((name) => [name, strToU8('')]))), 'x.zip').nameOf(
      '*/a.csv',
    )
  expect(nameIn('deep/er/a.csv', 'top/a.csv')).toBe('top/a.csv')
  expect(nameIn('top/a.csv', 'a.csv')).toBe('a.csv')
  expect(nameIn('deep/er/a.csv')).toBe('a.csv')
})

test('A gzip file that unpacks to much more than its size is refused.', async () => {
  expect(
    await problemOf(() => gunzip(gzipSync(Buffer.alloc(300 * 2 ** 20), { level: 9 }), 'x.gz')),
  ).toMatchObject({
    code: 'benchmarks/gzip',
    message: expect.stringContaining('unpacks to more') as string,
  })
})

test('An archive that ends early is an error, of zip and of gzip.', async () => {
  const zip = zipSync({ a: strToU8('text'.repeat(99)) })
  expect(await problemOf(() => zipMember(zip.subarray(0, 30), 'a', 'x.zip'))).toMatchObject({
    code: 'benchmarks/zip',
  })
  const gzip = gzipSync('text'.repeat(99))
  expect(Buffer.from(gunzip(gzip, 'x.gz')).toString()).toBe('text'.repeat(99))
  expect(await problemOf(() => gunzip(gzip.subarray(0, -4), 'x.gz'))).toMatchObject({
    code: 'benchmarks/gzip',
    message: expect.stringContaining('ends early') as string,
  })
  expect(await problemOf(() => gunzip(Buffer.from('text'), 'x.gz'))).toMatchObject({
    code: 'benchmarks/gzip',
  })
})

test('JSON lines keep their line numbers, whatever ends the lines.', () => {
  const { columns, rows } = jsonLines('{"a": 1.0}\r\n{"b": "\u2028", "a": 2} \u3000\r{"a": null}', 'x.jsonl')
  expect(columns).toEqual(['a', 'b'])
  expect(rows.map(({ line, cells }) => [line, cells.get('b')])).toEqual([
    [1, undefined],
    [2, '\u2028'],
    [3, undefined],
  ])
})

test.each([
  ['{"a": 1}\n{"a": }\n', { code: 'benchmarks/json', where: { line: 2, row: 2, column: 7 } }],
  ['{"a": 1}\n\n', { code: 'benchmarks/json', where: { line: 2 } }],
  ['\ufeff{"a": 1}\n', { code: 'benchmarks/json', where: { line: 1 } }],
  ['{"a": 1}\n[1]\n', { code: 'benchmarks/json-rows', where: { line: 2, row: 2 } }],
  ['', { code: 'benchmarks/empty-file' }],
])('The JSON lines %j are an error with its place.', async (text, problem) => {
  expect(await problemOf(() => jsonLines(text, 'x.jsonl'))).toMatchObject(problem)
})

test('Rows may lie under a key of a JSON object.', async () => {
  const rows = [new Map([['a', 1]])]
  expect(jsonTable(new Map([['data', rows]]), 'x.json', 'data').rows).toHaveLength(1)
  expect(await problemOf(() => jsonTable(new Map([['data', 1]]), 'x.json', 'data'))).toMatchObject({
    code: 'benchmarks/json-rows',
    message: 'under "data" the file holds no list of objects',
  })
})

test('A file of an archive whose bytes are others than were packed is no file.', async () => {
  const bytes = Buffer.from(zipSync({ 'a.csv': strToU8('dose,1'), 'b.csv': strToU8('dose,2') }, { level: 0 }))
  bytes[bytes.indexOf('dose,1') + 5] = '9'.charCodeAt(0)
  expect(await problemOf(() => zipMember(bytes, 'a.csv', 'x.zip'))).toMatchObject({ code: 'benchmarks/zip' })
  expect(Buffer.from(zipMember(bytes, 'b.csv', 'x.zip')).toString()).toBe('dose,2')
})

test('Of members of one name the last is read, as Python reads it.', () => {
  const bytes = Buffer.from(zipSync({ 'a.csv': strToU8('old'), 'b.csv': strToU8('new, and longer') }))
  for (let at = bytes.indexOf('b.csv'); at !== -1; at = bytes.indexOf('b.csv')) bytes.write('a.csv', at)
  expect(Buffer.from(zipMember(bytes, 'a.csv', 'x.zip')).toString()).toBe('new, and longer')
})
