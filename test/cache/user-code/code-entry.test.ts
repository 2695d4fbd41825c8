import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeEntry } from '../../../cache/user-code/code-entry.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { writeFiles } from '../../rig/workspace.ts'

const folderOf = (...names: readonly string[]): string => {
  const folder = temporaryFolder()
  writeFiles(folder, Object.fromEntries(names.map((name) => [name, ''])))
  return folder
}

test.each(['c.ts', 'c.mts', 'c.js', 'c.mjs'])('code is found as %s', (name) => {
  const folder = folderOf(name, 'd.ts', 'c.d.ts', 'c.json')
  expect(codeEntry(folder, 'c')).toBe(join(folder, name))
  expect(codeEntry(folder, 'e')).toBeUndefined()
})

test.each([
  [['c.ts', 'c.js'], 'code/two-files', 'c.ts and c.js both define c', 'c.js'],
  [['c.mjs', 'c.mts'], 'code/two-files', 'c.mts and c.mjs both define c', 'c.mjs'],
  [['c.cjs'], 'code/ending', 'c.cjs is no name that code is looked for under', 'c.cjs'],
])('of %s none is taken without a word', async (names, code, message, named) => {
  const folder = folderOf(...names)
  expect(await problemOf(async () => codeEntry(folder, 'c'))).toMatchObject({
    code,
    message,
    where: { file: join(folder, named) },
  })
})
