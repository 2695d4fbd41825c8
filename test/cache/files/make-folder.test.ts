import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, requireMakeable } from '../../../cache/files/folders.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

test('a folder is made with those above it, and the uppermost new one is told', () => {
  const root = temporaryFolder()
  expect(makeFolder(join(root, 'a/b/c'), 0o700)).toBe(join(root, 'a'))
  expect(statSync(join(root, 'a/b/c')).isDirectory()).toBe(true)
  expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o700)
  expect(makeFolder(join(root, 'a/b/d'))).toBe(join(root, 'a/b/d'))
  expect(makeFolder(join(root, 'a/b'))).toBeUndefined()
})

test('a file or a link to nowhere is not taken for it', () => {
  const root = temporaryFolder()
  writeFileSync(join(root, 'file'), '')
  symlinkSync(join(root, 'gone'), join(root, 'link'))
  for (const path of ['file', 'file/in', 'link', 'link/in/deep'])
    expect(() => requireMakeable(join(root, path))).toThrow('EEXIST')
  requireMakeable(join(root, 'new/in'))
  expect(existsSync(join(root, 'new'))).toBe(false)
  expect(() => makeFolder(join(root, 'file'))).toThrow('EEXIST')
  expect(() => makeFolder(join(root, 'file/in'))).toThrow('ENOTDIR')
  expect(() => makeFolder(join(root, 'link'))).toThrow('EEXIST')
})

// Such a mount says of any new folder that the one above it is missing.
test.skipIf(!existsSync('/proc/self'))('a mount on which none can be made is not tried for ever', () => {
  expect(() => makeFolder('/proc/none/of/these')).toThrow('ENOENT')
})
