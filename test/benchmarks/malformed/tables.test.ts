import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { parquetFile } from '../../parity/parquet-file.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { workbook } from '../../rig/xlsx.ts'
import { loadRows, named, type Bad, type Case } from './load.ts'

const HEAD = 'id,text,answer\n'
const csv = (body: string | Uint8Array): Bad => ['rows.csv', body]
const tsv = (body: string): Bad => ['rows.tsv', body]
const lines = (body: string | Uint8Array): Bad => ['rows.jsonl', body]
const json = (body: string | Uint8Array): Bad => ['rows.json', body]
const CSV = { format: 'csv' }
const PYTHON = { format: 'csv', dialect: 'python' }
const PANDAS = { format: 'csv', dialect: 'pandas' }
const TSV = { format: 'csv', separator: '\t' }
const JSONL = { format: 'jsonl' }
const JSON_ROWS = { format: 'json' }
const PARQUET = { format: 'parquet' }
const ARROW = { format: 'arrow' }
const XLSX = { format: 'xlsx' }

const row = '{"id":"a","text":"t","answer":"x"}'
const columns = { id: 'text', text: 'text', answer: 'text' } as const
const parquet = parquetFile(columns, [{ id: 'a', text: 't', answer: 'x' }])
const sheetCell = (cell: string, value: string): string =>
  `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`
const sheetHead = `<row r="1">${sheetCell('A1', 'id')}${sheetCell('B1', 'text')}${sheetCell('C1', 'answer')}</row>`
const sheetRow = `<row r="2">${sheetCell('A2', 'a')}${sheetCell('B2', 't')}${sheetCell('C2', 'x')}</row>`
const book = workbook({ rows: sheetHead + sheetRow })
const zipped = zipSync({ 'rows.csv': strToU8(`${HEAD}a,t,x\n`) })
/** The general purpose bit that says "encrypted", in the local and the central header. */
const encrypted = (archive: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(archive)
  for (const [mark, offset] of [
    ['PK\u0003\u0004', 6],
    ['PK\u0001\u0002', 8],
  ] as const)
    for (let at = bytes.indexOf(mark, 0, 'latin1'); at !== -1; at = bytes.indexOf(mark, at + 1, 'latin1'))
      bytes[at + offset] = (bytes[at + offset] ?? 0) | 1
  return bytes
}
const bytes = (...parts: readonly (string | number)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))))

const CASES: readonly Case[] = [
  ['csv, empty', csv(''), CSV, 'empty-file', {}],
  ['csv, a mark and nothing', csv('\ufeff'), CSV, 'empty-file', {}],
  [
    'csv, a header without the column',
    csv('id,txt,answer\na,t,x\n'),
    CSV,
    'missing-column',
    { line: 1, field: 'text' },
  ],
  ['csv, a column named twice', csv('id,text,text,answer\na,t,t,x\n'), CSV, 'duplicate-column', { line: 1 }],
  ['csv, a web page', csv('<!DOCTYPE html>\n<html>Sign in'), CSV, 'not-the-data', {}],
  ['csv, a pointer', csv('version https://git-lfs.github.com/spec/v1\noid x\n'), CSV, 'not-the-data', {}],
  ['csv, nothing for python', csv(''), PYTHON, 'empty-file', {}],
  ['csv, another header and no row', csv('a,b\n'), PYTHON, 'missing-column', { line: 1 }],
  ['csv, a short row', csv(`${HEAD}a,t,x\nb,t\n`), CSV, 'ragged-row', { row: 2, line: 3 }],
  ['csv, a long row', csv(`${HEAD}a,t,x,y\n`), CSV, 'ragged-row', { row: 1, line: 2 }],
  ['csv, an open quote', csv(`${HEAD}a,"t,x\nb,t,x\n`), CSV, 'csv', { line: 2, column: 3 }],
  ['csv, text after a quote', csv(`${HEAD}a,"t"t,x\n`), CSV, 'csv', { line: 2 }],
  ['csv, latin-1', csv(bytes(`${HEAD}a,caf`, 0xe9, ',x\n')), CSV, 'not-utf8', { line: 2, column: 6 }],
  [
    'csv, UTF-16',
    csv(Buffer.from(`\ufeff${HEAD}a,t,x\n`, 'utf16le')),
    CSV,
    'not-utf8',
    { line: 1, column: 1 },
  ],
  [
    'csv, UTF-16 that says nothing',
    csv(Buffer.from(HEAD, 'utf16le')),
    CSV,
    'not-utf8',
    { line: 1, column: 1 },
  ],
  ['csv, its other order', csv(Buffer.from(HEAD, 'utf16le').swap16()), PYTHON, 'not-utf8', { line: 1 }],
  ['csv, half a character', csv(bytes(`${HEAD}a,t,`, 0xe2, 0x82)), CSV, 'not-utf8', { line: 2, column: 5 }],
  [
    'csv, a surrogate in UTF-8',
    csv(bytes(`${HEAD}a,`, 0xed, 0xa0, 0x80, ',x\n')),
    CSV,
    'not-utf8',
    { line: 2 },
  ],
  ['csv, an overlong form', csv(bytes(`${HEAD}a,`, 0xc0, 0xaf, ',x\n')), CSV, 'not-utf8', { line: 2 }],
  ['csv, one id twice', csv(`${HEAD}a,t,x\na,u,y\n`), CSV, 'duplicate-id', { row: 2, field: 'id' }],
  ['csv, semicolons', csv('id;text;answer\na;t;x\n'), CSV, 'missing-column', { line: 1, field: 'text' }],
  ['csv, a mark that python keeps', csv(`\ufeff${HEAD}a,t,x\n`), PYTHON, 'missing-column', { field: 'id' }],
  ['csv, a row that pandas finds too long', csv(`${HEAD}a,t,x,y\n`), PANDAS, 'ragged-row', { row: 1 }],
  [
    'csv, an answer that pandas reads as missing',
    csv(`${HEAD}a,t,NA\n`),
    PANDAS,
    'missing-answer',
    { row: 1, field: 'answer' },
  ],
  ['csv, an open quote for pandas', csv(`${HEAD}a,"t,x\n`), PANDAS, 'csv', { line: 2, column: 3 }],
  ['tsv, commas', tsv(`${HEAD}a,t,x\n`), TSV, 'missing-column', { line: 1 }],
  ['tsv, a short row', tsv('id\ttext\tanswer\na\tt\n'), TSV, 'ragged-row', { row: 1, line: 2 }],
  ['tsv, an open quote', tsv('id\ttext\tanswer\na\t"t\tx\n'), TSV, 'csv', { line: 2, column: 3 }],
  ['jsonl, empty', lines(''), JSONL, 'empty-file', {}],
  ['jsonl, a line cut off', lines(`${row}\n{"id":"b","te`), JSONL, 'json', { line: 2, row: 2 }],
  ['jsonl, a blank line', lines(`${row}\n\n${row}`), JSONL, 'json', { line: 2 }],
  ['jsonl, a list', lines('[1]\n'), JSONL, 'json-rows', { line: 1, row: 1 }],
  ['jsonl, two objects on a line', lines(`${row}${row}\n`), JSONL, 'json', { line: 1 }],
  ['jsonl, a mark', lines(`\ufeff${row}\n`), JSONL, 'json', { line: 1, column: 1 }],
  [
    'jsonl, a control character in a text',
    lines('{"id":"a","text":"\u0001","answer":"x"}\n'),
    JSONL,
    'json',
    { line: 1 },
  ],
  ['jsonl, single quotes', lines("{'id':'a'}\n"), JSONL, 'json', { line: 1, column: 2 }],
  [
    'jsonl, NaN for an answer',
    lines('{"id":"a","text":"t","answer":NaN}\n'),
    JSONL,
    'missing-answer',
    { row: 1, field: 'answer' },
  ],
  ['jsonl, one id twice', lines(`${row}\n${row}\n`), JSONL, 'duplicate-id', { row: 2 }],
  [
    'jsonl, a row without the key',
    lines(`${row}\n{"id":"b","answer":"x"}\n`),
    JSONL,
    'missing-column',
    { row: 2, field: 'text' },
  ],
  [
    'jsonl, half an emoji',
    lines(`${row}\n{"id":"b","text":"t \\ud83d","answer":"x"}\n`),
    JSONL,
    'not-text',
    { row: 2 },
  ],
  ['jsonl, latin-1', lines(bytes('{"id":"', 0xe9, '"}')), JSONL, 'not-utf8', { line: 1, column: 8 }],
  ['json, cut off', json(`[${row},`), JSON_ROWS, 'json', { line: 1 }],
  ['json, a comma too many', json(`[${row},]`), JSON_ROWS, 'json', { line: 1 }],
  ['json, a comment', json(`[${row}] // x`), JSON_ROWS, 'json', { line: 1 }],
  ['json, an object', json(row), JSON_ROWS, 'json-rows', {}],
  ['json, an item that is no object', json(`[${row},7]`), JSON_ROWS, 'json-rows', { row: 2 }],
  ['json, no such key of rows', json('{"rows":1}'), { format: 'json', rows: 'rows' }, 'json-rows', {}],
  ['json, 100,000 open brackets', json('['.repeat(100_000)), JSON_ROWS, 'json', {}],
  ['json, a number beyond all', json('[1e999999'), JSON_ROWS, 'json', { line: 1 }],
  ['json, a word', json('[True]'), JSON_ROWS, 'json', { line: 1, column: 2 }],
  ['parquet, empty', ['r.parquet', ''], PARQUET, 'parquet', {}],
  ['parquet, cut off', ['r.parquet', parquet.subarray(0, 60)], PARQUET, 'parquet', {}],
  [
    'parquet, its middle damaged',
    ['r.parquet', Buffer.concat([parquet.subarray(0, 8), Buffer.alloc(40, 255), parquet.subarray(48)])],
    PARQUET,
    'parquet',
    {},
  ],
  ['parquet, text', ['r.parquet', HEAD], PARQUET, 'parquet', {}],
  [
    'parquet, a column less',
    ['r.parquet', parquetFile({ id: 'text' }, [{ id: 'a' }])],
    PARQUET,
    'missing-column',
    { field: 'text' },
  ],
  [
    'parquet, no answer',
    ['r.parquet', parquetFile(columns, [{ id: 'a', text: 't', answer: null }])],
    PARQUET,
    'missing-answer',
    { row: 1, field: 'answer' },
  ],
  ['arrow, empty', ['r.feather', ''], ARROW, 'arrow', {}],
  ['arrow, the magic alone', ['r.feather', 'ARROW1\0\0ARROW1'], ARROW, 'arrow', {}],
  ['arrow, Feather version 1', ['r.feather', 'FEA1 and so on FEA1'], ARROW, 'arrow', {}],
  [
    'arrow, a footer out of the file',
    ['r.feather', bytes('ARROW1\0\0', 0xff, 0xff, 0xff, 0x7f, 'ARROW1')],
    ARROW,
    'arrow',
    {},
  ],
  ['xlsx, no archive', ['r.xlsx', HEAD], XLSX, 'xlsx', {}],
  ['xlsx, cut off', ['r.xlsx', book.subarray(0, 300)], XLSX, 'xlsx', {}],
  ['xlsx, an archive of something else', ['r.xlsx', zipped], XLSX, 'xlsx', {}],
  ['xlsx, encrypted', ['r.xlsx', Buffer.from('d0cf11e0a1b11ae1', 'hex')], XLSX, 'xlsx', {}],
  ['xlsx, an empty sheet', ['r.xlsx', workbook({ rows: '' })], XLSX, 'empty-file', {}],
  [
    'xlsx, a column less',
    [
      'r.xlsx',
      workbook({ rows: `<row r="1">${sheetCell('A1', 'id')}</row><row r="2">${sheetCell('A2', 'a')}</row>` }),
    ],
    XLSX,
    'missing-column',
    {},
  ],
  ['xlsx, XML that ends early', ['r.xlsx', workbook({ rows: '<row r="1"><c r="A1"' })], XLSX, 'xlsx', {}],
  ['zip, no archive', ['r.zip', HEAD], { ...CSV, member: 'rows.csv' }, 'zip', {}],
  ['zip, cut off', ['r.zip', zipped.subarray(0, 40)], { ...CSV, member: 'rows.csv' }, 'zip', {}],
  [
    'zip, another member',
    ['r.zip', zipped],
    { ...CSV, member: 'row.csv' },
    'missing-member',
    { field: 'row.csv' },
  ],
  [
    'zip, a member that leads out',
    ['r.zip', zipSync({ '../rows.csv': strToU8(HEAD) })],
    { ...CSV, member: 'rows.csv' },
    'missing-member',
    {},
  ],
  ['zip, encrypted', ['r.zip', encrypted(zipped)], { ...CSV, member: 'rows.csv' }, 'zip', {}],
  ['gz, no gzip', ['rows.csv.gz', HEAD], CSV, 'gzip', {}],
  ['gz, cut off', ['rows.csv.gz', gzipSync(HEAD).subarray(0, 20)], CSV, 'gzip', {}],
  [
    'gz, a damaged sum',
    ['rows.csv.gz', Buffer.concat([gzipSync(HEAD).subarray(0, -8), Buffer.alloc(8, 1)])],
    CSV,
    'gzip',
    {},
  ],
]

describe('a malformed table is an error with its place', () => {
  it('is none where the file is well', async () => {
    expect(await loadRows(csv(`${HEAD}a,t,x\n`), CSV)).toBe(1)
    expect(await loadRows(['r.xlsx', book], XLSX)).toBe(1)
    expect(await loadRows(['r.parquet', parquet], PARQUET)).toBe(1)
    expect(await loadRows(['r.zip', zipped], { ...CSV, member: 'rows.csv' })).toBe(1)
  })

  it.each(named(CASES))('$title', async ({ file, source, code, where }) => {
    const problem = await problemOf(() => loadRows(file, source))
    expect(problem).toMatchObject({ code: `benchmarks/${code}`, where })
    expect(problem?.where?.file).toContain(`benchmarks/bad/${file[0]}`)
    expect(problem?.remedy).not.toBe('')
  })

  it('takes a huge cell, NUL bytes and a mark inside for what they are', async () => {
    expect(await loadRows(csv(`${HEAD}a,${'x'.repeat(5_000_000)},x\nb,\0,y\n\ufeffc,t,z\n`), CSV)).toBe(3)
  })
})
