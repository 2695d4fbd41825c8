import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow } from '../../../cache/files/folders.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

test('files below a folder are found through links, each once, and links to a folder above end', () => {
  const root = realpathSync(temporaryFolder())
  const [data, elsewhere] = [join(root, 'data'), join(root, 'elsewhere')]
  for (const folder of [data, join(data, 'deep'), elsewhere]) mkdirSync(folder)
  for (const file of ['data/a.csv', 'data/deep/b.csv', 'elsewhere/c.csv', 'd.csv'])
    writeFileSync(join(root, file), '')
  for (const [name, to] of [
    ['one', '.'],
    ['two', '.'],
    ['deep/up', '..'],
    ['out', elsewhere],
    ['again', elsewhere],
  ] as const)
    symlinkSync(to, join(data, name))
  symlinkSync(join(root, 'd.csv'), join(data, 'linked.csv'))
  symlinkSync('nowhere', join(data, 'broken'))
  const found = filesBelow(data).map((file) => file.slice(root.length + 1))
  expect(found.toSorted()).toEqual(['d.csv', 'data/a.csv', 'data/deep/b.csv', 'elsewhere/c.csv'])
  expect(filesBelow(join(data, 'linked.csv'))).toEqual([join(root, 'd.csv')])
  expect(filesBelow(join(root, 'absent'))).toEqual([])
})
