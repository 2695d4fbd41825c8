import { expect, test } from 'vitest'
import type { ProblemError } from '../../../cache/problems/problem.ts'
import { diskFull } from '../../../cache/store-problems.ts'
import { noVaultKey } from '../../../cache/vault/vault-key.ts'
import type { Session } from '../../../tools/session/session.ts'
import { readVaultMark } from '../../../tools/session/tier/sealed.ts'
import { madeUpTarget } from '../../rig/made-up-run.ts'

const lacking = noVaultKey('v', 'k', { exists: false, cause: undefined })

test.each([
  ['A vault without its key ends like a data agreement that is lacking', lacking, 5],
  ['One on a full disk ends as that does', diskFull('v', 0, 1), 1],
])('%s.', async (_, problem: ProblemError, exitCode) => {
  const session = { vault: { store: () => Promise.reject(problem) } } as unknown as Session
  const targets = [madeUpTarget({ instances: [], access: 'private' })]
  await expect(readVaultMark(targets, session)).rejects.toMatchObject({ exitCode })
})
