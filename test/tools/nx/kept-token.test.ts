import { cpSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepToken, tokenOf, type KeptToken } from '../../../tools/nx/kept-token.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const inFolder = (proof: string): KeptToken => ({ token: join(proof, 'nx-token'), proof })

test('a token is kept with its folder, were it moved, and of a copy it says nothing until something is built there', () => {
  const root = temporaryFolder()
  const [one, moved, copy] = ['one', 'moved', 'copy'].map((name) => inFolder(join(root, name))) as [
    KeptToken,
    KeptToken,
    KeptToken,
  ]
  keepToken(one, 'before', { replace: false })
  mkdirSync(one.proof)
  expect(tokenOf(one)).not.toBe(tokenOf(one))
  for (const token of ['first', 'second']) keepToken(one, token, { replace: false })
  expect(tokenOf(one)).toBe('first')
  renameSync(one.proof, moved.proof)
  expect(tokenOf(moved)).toBe('first')
  cpSync(moved.proof, copy.proof, { recursive: true })
  expect(tokenOf(copy)).not.toBe('first')
  for (const token of ['own', 'other']) keepToken(copy, token, { replace: false })
  expect([moved, copy].map(tokenOf)).toEqual(['first', 'own'])
  keepToken(copy, 'anew', { replace: true })
  expect(tokenOf(copy)).toBe('anew')
})
