import { ProblemError } from '../../../cache/problems/problem.ts'
import { holdsOtherKeys } from '../../../cache/tier/read-tier.ts'
import type { Target } from '../../../targets/record/target.ts'
import { keyMark, vaultKeyOrigin } from '../../session/workspace/vault-key-origin.ts'
import type { Workspace } from '../../session/workspace/workspace.ts'
import { tierOf } from '../common/tier-flags.ts'
import { problemsText } from '../output/print-problems.ts'
import { storeNote } from '../output/store-note.ts'
import type { Invocation } from '../verb.ts'

/** For a plan, which reads no tier: what a run would tell of replies on it that its key does not open. */
export const tellOtherKeys = async (
  targets: readonly Target[],
  invocation: Invocation,
  workspace: Workspace,
): Promise<void> => {
  const { env, warn } = invocation
  if (targets.every(({ spec }) => spec.benchmark.access === 'public')) return
  try {
    const tier = await tierOf(invocation, workspace)
    if (tier !== undefined && (await holdsOtherKeys(tier, keyMark(vaultKeyOrigin(env, workspace)))))
      warn(storeNote({ type: 'tier-other-key', place: tier.place }))
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    warn(problemsText([error], process.stderr.isTTY))
  }
}
