import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import { vaultMark } from '../../../cache/vault/open-vault.ts'
import type { Target } from '../../../targets/record/target.ts'
import { requireSealed } from './require-sealed.ts'
import type { Session } from '../session.ts'

/**
 * Opens the vault where any target needs it, before the first call, and tells its key from others; null where none does.
 * @throws ProblemError, exit 5, where the key is not at hand: nobody could read what a key made here seals; where what is to
 * be sealed lies on the tier in the open
 */
export const readVaultMark = async (
  targets: readonly Target[],
  session: Pick<Session, 'vault' | 'tier' | 'workspace' | 'sealOpen'>,
): Promise<string | null> => {
  const { vault } = session
  if (targets.every(({ spec }) => spec.benchmark.access === 'public')) return null
  try {
    await vault.store()
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    throw new ProblemError(error.problems, { exitCode: EXIT.dataAgreement, cause: error })
  }
  await requireSealed(targets, session)
  return vaultMark(vault.folder) ?? null
}
