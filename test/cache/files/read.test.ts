import fs, { truncateSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { namesIn, readFile, readFileSync } from '../../../cache/files/read.ts'
import { decodeUtf8 } from '../../../cache/files/utf8.ts'
import { readHocon } from '../../../models/config/hocon.ts'
import { readRunEntries } from '../../../targets/entries/run-entry.ts'
import { readSchema } from '../../../tools/helm/summary-schema.ts'
import { problemAtOnce, problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const file = join(temporaryFolder(), 'a.txt')

test.each([
  ['text', (path: string) => readFile(path, 'utf8')],
  ['text at once', async (path: string) => readFileSync(path, 'utf8')],
  ['keys', readHocon],
  ['run entries', readRunEntries],
  ['a schema', readSchema],
])(
  '%s of a file that is not UTF-8 is refused with the place, never read with other characters',
  async (_, read) => {
    writeFileSync(file, Buffer.from('# a\n# caf\xe9\n', 'latin1'))
    expect(await problemOf(() => read(file))).toMatchObject({
      code: 'system/not-utf8',
      where: { file, line: 2, column: 6 },
    })
  },
)

test('a byte order mark stays, and bytes are given as they are', async () => {
  writeFileSync(file, '\ufeffé')
  expect([await readFile(file, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['\ufeffé', '\ufeffé'])
  expect([readFileSync(file).length, readFileSync(file, 'latin1').length]).toEqual([5, 5])
})

test('A folder that is not there has no names, and a file in its place is told', () => {
  writeFileSync(file, '')
  expect([namesIn(`${file}.none`), namesIn(join(file, 'below'))]).toEqual([[], []])
  expect(() => namesIn(file)).toThrow('ENOTDIR')
})

test('A folder that another process makes while it is looked for has no names yet', () => {
  const folder = join(temporaryFolder(), 'made')
  const real = fs.readdirSync
  const makingIt = (): never => {
    fs.mkdirSync(folder)
    throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
  }
  Object.assign(fs, { readdirSync: makingIt })
  syncBuiltinESMExports()
  try {
    expect(namesIn(folder)).toEqual([])
  } finally {
    Object.assign(fs, { readdirSync: real })
    syncBuiltinESMExports()
  }
})

test('What is larger than can be read is told so, and not as what is no text', async () => {
  const file = join(temporaryFolder(), 'data.csv')
  writeFileSync(file, 'a,b\n')
  // No text of half a gigabyte is made for this.
  const decode = vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(() => {
    throw new RangeError('Cannot create a string longer than 0x1fffffe8 characters')
  })
  expect(problemAtOnce(() => decodeUtf8(Buffer.from('a,b\n'), file))).toMatchObject({
    code: 'system/too-large',
    where: { file },
  })
  decode.mockRestore()
  // All but its first bytes are a hole.
  truncateSync(file, 3 * 2 ** 30)
  expect(await problemOf(() => readFile(file))).toMatchObject({ code: 'system/too-large', where: { file } })
})

test('A wrong byte is told by its line and column, whatever stands before it', () => {
  const told = (bytes: Buffer): unknown => problemAtOnce(() => decodeUtf8(bytes, 'data.csv'))
  const text = Buffer.from('a,b\nAna €,"😀\n')
  expect(told(Buffer.concat([text, Buffer.from('é'), Buffer.of(0xf0, 0x9f)]))).toMatchObject({
    message: `the file is not UTF-8: byte 0xf0 at offset ${text.length + 2}`,
    where: { file: 'data.csv', line: 3, column: 2 },
  })
  expect(told(Buffer.of(0xc0, 0x0a))).toMatchObject({ where: { line: 1, column: 1 } })
})
