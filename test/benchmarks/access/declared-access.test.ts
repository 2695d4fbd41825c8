import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accessIn, accessOf, declaredAccess } from '../../../benchmarks/access/access.ts'
import { packageRoot } from '../../../cache/package-root.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const fileIn = (folder: string): string => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'benchmark.yaml')
  writeFileSync(file, '')
  return file
}

test('A declaration of the workspace or of this package is as it says, and private where it says nothing.', () => {
  const workspace = temporaryFolder()
  const files = [fileIn(join(workspace, 'benchmarks/x')), join(packageRoot(), 'package.json')]
  for (const file of files)
    for (const access of ['public', 'gated', 'private'] as const) {
      expect(accessOf(access, file, workspace)).toEqual({ access })
      expect(accessOf(undefined, file, workspace)).toEqual({ access: 'private' })
    }
})

test('One from elsewhere is private, with the reason where it says otherwise.', () => {
  const root = temporaryFolder()
  const workspace = join(root, 'evals')
  mkdirSync(workspace)
  const reason = { access: 'private', accessReason: 'it is declared outside of the workspace' }
  // A folder whose name begins like the workspace’s is no part of it, nor is what a link leads to.
  const elsewhere = fileIn(join(root, 'evals-of-others'))
  symlinkSync(elsewhere, join(workspace, 'link.yaml'))
  for (const file of [elsewhere, join(workspace, 'link.yaml')]) {
    expect(accessOf('public', file, workspace)).toEqual(reason)
    expect(accessOf('gated', file, workspace)).toEqual(reason)
    expect(accessOf('private', file, workspace)).toEqual({ access: 'private' })
    expect(accessOf(undefined, file, workspace)).toEqual({ access: 'private' })
    expect(declaredAccess('public', file, workspace)).toBe('private')
  }
})

test.each([
  [{ access: 'gated' }, 'gated'],
  [{ access: 'public', other: 1 }, 'public'],
  [{ access: 'Public' }, undefined],
  [{ access: ['public'] }, undefined],
  [{}, undefined],
  [null, undefined],
  ['public', undefined],
])('%j says %s', (value, access) => {
  expect(accessIn(value)).toBe(access)
})
