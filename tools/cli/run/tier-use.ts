import { ProblemError } from '../../../cache/problems/problem.ts'
import type { TierUse } from '../../session/tier/session-tier.ts'
import { withScratch, type Scratch } from '../../session/tier/scratch.ts'
import { tierUse } from '../../session/tier/tier-use.ts'
import type { Workspace } from '../../session/workspace/workspace.ts'
import { textFlag } from '../flags.ts'
import { tierOf } from '../common/tier-flags.ts'
import type { Invocation } from '../verb.ts'
import { shardFlags } from './shard-flags.ts'

/** What a run shares with other machines, and where it keeps the rest unless flags and settings say it. */
export interface TierPlace {
  readonly tier?: TierUse
  readonly storePath?: string
  /** Where the store is in, if it goes with the task. */
  readonly scratch?: Scratch
}

/** @throws ProblemError `cli/bad-flag`, `cache/no-tier`, `cache/tier` */
export const withSharedRun = async <T>(
  invocation: Invocation,
  workspace: Workspace,
  use: (shared: TierPlace) => Promise<T>,
): Promise<T> => {
  const shard = shardFlags(invocation)
  const tier = await tierOf(invocation, workspace)
  if (tier === undefined) {
    if (shard === undefined) return use({})
    throw new ProblemError({
      code: 'cli/missing-flag',
      message: 'a part of a run needs a place where all parts bring their replies',
      where: { field: '--tier' },
      remedy: 'Add --tier /folder/that/all/machines/reach, or store: { tier: … } to medmake.yaml.',
    })
  }
  const parts = tierUse(tier, workspace.config)
  if (shard === undefined) return use({ tier: parts })
  const own = { tier: { ...parts, shard } }
  const { flags, env } = invocation
  if ((textFlag(flags, 'store') ?? env['MEDMAKE_STORE']) !== undefined) return use(own)
  return withScratch(env, (scratch) => use({ ...own, scratch, storePath: scratch.storePath }))
}
