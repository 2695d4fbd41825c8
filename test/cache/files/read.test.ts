import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { namesIn, readFile, readFileSync } from '../../../cache/files/read.ts'
import { readHocon } from '../../../models/config/hocon.ts'
import { readRunEntries } from '../../../targets/entries/run-entry.ts'
import { readSchema } from '../../../tools/helm/summary-schema.ts'
import { problemOf } from '../../rig/problem-of.ts'
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
