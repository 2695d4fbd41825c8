import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultOfDownload, faultOfGiven } from '../../../../benchmarks/sources/fetch/looks-whole.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'

const fileOf = (name: string, bytes: Uint8Array): string => {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, bytes)
  return file
}
const fault = async (name: string, content: string | Uint8Array): Promise<string | undefined> => {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
  const found = await faultOfDownload(fileOf('download', bytes), name)
  return found === undefined ? undefined : String(found)
}

/** The header of an SQLite database of so many pages of so many bytes. */
const sqlite = (size: number, page: number, pages: number): Uint8Array => {
  const bytes = Buffer.alloc(size)
  bytes.write('SQLite format 3\0', 'latin1')
  bytes.writeUInt16BE(page, 16)
  bytes.writeUInt32BE(pages, 28)
  return bytes
}
const gzip = (size: number): Uint8Array => Buffer.concat([Buffer.of(0x1f, 0x8b), Buffer.alloc(size - 2)])

const CUT = 'its end is missing'
const PAGE = 'it is a web page, such as one to sign in or of an error'

test.each([
  ['x.zip', 'PK\x03\x04 … PK\x05\x06', undefined],
  ['x.zip', 'PK\x03\x04 …', CUT],
  ['x.zip', `PK\x03\x04 … PK\x05\x06${' '.repeat(65_553)}`, undefined],
  ['x.xlsx', 'PK\x05\x06', 'it is a zip archive that holds no file'],
  ['x.docx', 'hello', 'it is no zip archive'],
  ['x.parquet', 'PAR1 … PAR1', undefined],
  ['x.parquet', 'PAR1 … PAR', CUT],
  ['x.PARQUET', 'hello', 'it is no Parquet file'],
  ['x.feather', 'ARROW1 … ARROW1', undefined],
  ['x.feather', 'ARROW1 … ARROW', CUT],
  ['x.gz', gzip(18), undefined],
  ['x.gz', gzip(17), CUT],
  ['x.db', sqlite(8192, 4096, 2), undefined],
  ['x.db', sqlite(8191, 4096, 2), CUT],
  ['x.db', sqlite(65_536, 1, 1), undefined],
  ['x.db', sqlite(65_535, 1, 1), CUT],
  ['x.db', sqlite(99, 4096, 0), CUT],
  ['x.csv', '<!DOCTYPE html><p>Sign in', PAGE],
  ['x.csv', '\u00ef\u00bb\u00bf \n<HTML>', PAGE],
  ['x.html', '<!doctype html><p>Sign in', undefined],
  ['x.xhtml', '<html>', undefined],
  ['x.csv', '<!-- saved -->\n<!-- b --><!doctype html>', PAGE],
  ['x.json', '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x"><html>', PAGE],
  ['x.csv', '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>', PAGE],
  ['x.csv', 'a,<html>', undefined],
  ['x.csv', '<!-- a -->,b', undefined],
  ['x.xml', '<?xml version="1.0"?><errors></errors>', undefined],
  ['x.csv', 'PK,PK2\n1,2', undefined],
  ['x.zip', 'PK,PK2\n1,2', 'it is no zip archive'],
  ['x.csv', gzip(18), 'it is a gzip file'],
  ['x.JSONL', 'PK\x03\x04 … PK\x05\x06', 'it is a zip archive'],
  ['download', gzip(18), undefined],
  ['x.csv', '', undefined],
] as const)('A download %s that is %j is told to be: %s', async (name, content, told) => {
  expect(await fault(name, content)).toBe(told)
})

test('A pointer of Git LFS is none of the files that it stands for, and neither is a page where a file was brought.', async () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n'
  expect(await fault('x.parquet', pointer)).toContain('Git LFS')
  const given = async (name: string, text: string): Promise<string> =>
    String(await faultOfGiven(fileOf(name, Buffer.from(text))))
  expect(await given('x.csv', pointer)).toContain('Git LFS')
  expect(await given('x.csv', '<html>')).toBe(PAGE)
  expect(await given('x.html', '<html>')).toBe('undefined')
  // By its first bytes alone.
  expect(await given('x.parquet', 'hello')).toBe('undefined')
})

test('A download that begins with comment after comment is looked at in no time.', async () => {
  // Each way to tell 28 comments apart was tried: hours, in which nothing else was done.
  expect(await fault('x.csv', `${'<!---->'.repeat(28)}a`)).toBeUndefined()
})
