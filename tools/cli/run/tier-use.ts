import { ProblemError } from '../../../cache/problems/problem.ts'
import type { SubmittedShard } from '../../../targets/spend/shard-part.ts'
import { type TierUse, tierUse } from '../../session/tier/session-tier.ts'
import { keyMark, vaultKeyOrigin, type Workspace } from '../../session/workspace/workspace.ts'
import type { Target } from '../../../targets/record/target.ts'
import { holdsOtherKeys } from '../../../cache/tier/read-tier.ts'
import { problemsText } from '../output/print-problems.ts'
import { storeNote } from '../output/store-note.ts'
import { withScratch, type Scratch } from '../../session/tier/scratch.ts'
import { badFlag, boolFlag, countFlag, textFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { randomBytes } from 'node:crypto'
import { shardOfEnvironment, submissionOf } from '../../cluster/shard-of-environment.ts'
import { tierOf } from '../common/session-flags.ts'

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
  if (textFlag(flags, 'store') !== undefined || env['MEDMAKE_STORE']) return use(own)
  return withScratch(env, (scratch) => use({ ...own, scratch, storePath: scratch.storePath }))
}

/** The part of the work that flags and environment name; undefined for all of it. @throws ProblemError `cli/bad-flag` */
export const shardFlags = ({ flags, env }: Pick<Invocation, 'flags' | 'env'>): SubmittedShard | undefined => {
  const text = textFlag(flags, 'shard')
  const count = countFlag(flags, 'shards')
  if (text === undefined) {
    if (count === undefined && textFlag(flags, 'plan') === undefined) return undefined
    throw badShard('--shards and --plan go with --shard', 'Write --shard auto --shards 16, or --shard 3/16.')
  }
  if (boolFlag(flags, 'batch'))
    throw badShard('--batch sends all requests from one place', 'Leave --shard or --batch out.')
  // What is submitted by hand has an allowance of its own each time.
  const submission = submissionOf(env) ?? `by-hand-${randomBytes(4).toString('hex')}`
  const [, index, parts] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const shard =
    text === 'auto' ? shardOfEnvironment(env, count) : { index: Number(index), count: Number(parts) }
  if (shard === undefined)
    throw badShard(
      'no scheduler says which part this is, or of how many',
      'Write --shard auto --shards 16 under Slurm, Kubernetes, GitLab, CircleCI or Buildkite; elsewhere --shard 3/16, from 0/16 to 15/16.',
    )
  if (!(shard.index >= 0 && shard.index < shard.count) || (count ?? shard.count) !== shard.count)
    throw badShard(
      text === 'auto'
        ? `the scheduler calls this part ${shard.index}, and there are ${shard.count}, from 0 to ${shard.count - 1}`
        : `--shard ${text} names no part${count === undefined ? '' : ` of ${count}`}`,
      text === 'auto'
        ? `Submit tasks 0 to ${shard.count - 1}, or mend --shards.`
        : 'Parts are counted from 0: of 16 they are 0/16 to 15/16.',
    )
  return { ...shard, submission }
}

const badShard = (message: string, remedy: string): ProblemError => badFlag('--shard', message, remedy)

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
