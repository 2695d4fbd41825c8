import { plural } from '../../../cache/words/number-text.ts'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { readVaultMark, requireSealed } from '../../session/tier/sealed.ts'
import type { Session } from '../../session/session.ts'
import { exitOfSignal, type Stopper } from '../../session/stopper.ts'
import type { SessionTier } from '../../session/tier/session-tier.ts'
import type { Target } from '../../../targets/record/target.ts'
import {
  planDigest,
  shardPlan,
  shardTargets,
  type ShardPlan,
} from '../../../targets/scheduler/shard-targets.ts'
import type { SubmittedShard } from '../../../targets/spend/shard-part.ts'
import { moneyText } from '../../spend/money-text.ts'
import { failedExit, tellFailed } from '../output/print-problems.ts'
import type { ProgressSummary } from '../output/progress.ts'
import { boolFlag, textFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import type { Scratch } from '../../session/tier/scratch.ts'
import { requireShares } from './require-shares.ts'
import { tierMarks } from '../../../cache/tier/read-tier.ts'
import { planFile, type Tier } from '../../../cache/tier/tier.ts'

interface ShardRun {
  readonly session: Session
  readonly stopper: Stopper
  readonly summary: ProgressSummary
  readonly invocation: Invocation
  /** Where it keeps what goes with it; absent for a store that stays. */
  readonly scratch?: Scratch | undefined
}

/** How a task ended, as the tier and `cluster status` have it. */
type State = 'done' | 'incomplete' | 'stopped' | 'cap' | 'taken-over'

const CODES: Readonly<Record<State, ExitCode>> = {
  done: EXIT.done,
  incomplete: EXIT.incomplete,
  'taken-over': EXIT.incomplete,
  cap: EXIT.spendingCap,
  stopped: EXIT.goOn,
}

/** Asks what falls to one part of a run. */
export const runShard = async (targets: readonly Target[], run: ShardRun): Promise<ExitCode> => {
  const { session, stopper, summary, invocation } = run
  const { tier } = session
  const shard = tier?.shard
  if (tier === undefined || shard === undefined) throw new TypeError('a shard was asked for')
  requireShares(targets, shard.count)
  const vault = await readVaultMark(targets, session)
  const plan = await shardPlan(targets, { shards: shard.count, vault }, session.env)
  const digest = planDigest(plan)
  const wanted = textFlag(invocation.flags, 'plan') ?? (await planOfOtherKey(plan, tier.tier))
  if (wanted !== undefined) await requirePlan(wanted, plan, tier.tier)
  await tier.begin(digest, { ...plan }, stopper.stop)
  const counts = { requests: 0, answered: 0, targets: 0 }
  await requireSealed(targets, session).catch(async (error: unknown) => {
    await tier.end(reportOf('incomplete', { ...counts, ...UNKNOWN }, summary))
    throw error
  })
  const failed: unknown[] = []
  await shardTargets(targets, shard, session.env, {
    onPart: (_, { owned, answered }) => {
      counts.targets += 1
      counts.requests += owned
      counts.answered += answered
    },
    onProblem: (_, error) => void failed.push(error),
  })
  if (tier.unsaved() > 0) keepScratch(tier, run)
  const state = stateOf(failed, tier, run)
  // A target that was stopped half-way, or failed, told nothing.
  const told = counts.targets < targets.length ? { ...counts, ...UNKNOWN } : counts
  await tier.end(reportOf(state, told, summary))
  return report({ state, digest, counts: told, failed }, shard, run)
}

/** What the tier did not take lies on this node alone. */
const keepScratch = (tier: SessionTier, { scratch, invocation: { warn } }: ShardRun): void => {
  const kept = scratch === undefined ? 'the store' : `${scratch.storePath}, which stays on this node`
  scratch?.keep()
  warn(
    `the tier failed, and ${tier.unsaved()} values are not known to be there: they lie in ${kept}. \`medmake cache push ${tier.tier.place}${scratch === undefined ? '' : ` --store ${scratch.storePath}`}\` takes them there once it works; else their calls are paid for again.`,
  )
}

const stateOf = (
  failed: readonly unknown[],
  tier: SessionTier,
  { session, stopper, summary }: ShardRun,
): State => {
  if (tier.isTakenOver()) return 'taken-over'
  if (session.spending.problem() !== undefined) return 'cap'
  if (stopper.stop.aborted) return 'stopped'
  return failed.length + summary.failures().length > 0 ? 'incomplete' : 'done'
}

interface Counts {
  readonly targets: number
  /** Null where not all targets were walked to their end. */
  readonly requests: number | null
  readonly answered: number | null
}

const UNKNOWN = { requests: null, answered: null }

/** Counts and sums alone: it lies in the open. */
const reportOf = (state: State, counts: Counts, summary: ProgressSummary) => {
  const { spent, unknownCalls } = summary.money()
  return {
    state,
    ...counts,
    providerCalls: summary.providerCalls(),
    usd: unknownCalls > 0 ? null : spent,
  }
}

const report = (
  ended: {
    readonly state: State
    readonly digest: string
    readonly counts: Counts
    readonly failed: readonly unknown[]
  },
  { index, count }: SubmittedShard,
  { summary, stopper, invocation: { flags, print, warn } }: ShardRun,
): ExitCode => {
  const { state, counts, digest, failed } = ended
  tellFailed(failed, warn)
  const told = { index, count, plan: digest, state, ...counts }
  if (boolFlag(flags, 'json')) print(JSON.stringify({ ...summary.json({}), shard: told }))
  else
    print(
      `shard ${index}/${count}: ${answeredOf(counts)}${plural(summary.providerCalls(), 'provider call')}, ${STATES[state]}\n${moneyText(summary.money())}`,
    )
  const failedWith = failedExit(failed)
  if (state === 'stopped' && exitOfSignal(stopper) === EXIT.interrupted) return EXIT.interrupted
  return (state === 'incomplete' ? failedWith : undefined) ?? CODES[state]
}

const answeredOf = ({ requests, answered }: Counts): string =>
  requests === null ? '' : `${answered} of ${requests} requests answered, `

const STATES: Readonly<Record<State, string>> = {
  done: 'done',
  incomplete: 'incomplete: run it again to try what failed',
  stopped: 'stopped: run it again to go on',
  cap: 'its part of the cap is spent',
  'taken-over': 'another attempt has this shard now',
}

const MEANING: Readonly<Record<keyof ShardPlan, string>> = {
  shards: 'tasks',
  code: 'medmake',
  targets: 'targets',
  keys: 'declarations and data',
  vault: 'vault key',
}

/** Where this very work was begun with another vault's key: neither could read what the other pays for. */
const planOfOtherKey = async (own: ShardPlan, tier: Tier): Promise<string | undefined> => {
  const marks = own.vault === null ? [] : (await tierMarks(tier)).filter((mark) => mark !== own.vault)
  if (marks.length === 0) return undefined
  const plans = new Set((await tier.list('plan')).map(({ name }) => name))
  // A machine with a wrong key that began at the same time keeps no other from going on.
  if (plans.has(planFile(planDigest(own)))) return undefined
  return marks.map((vault) => planDigest({ ...own, vault })).find((plan) => plans.has(planFile(plan)))
}

/** Undefined for what is damaged. */
const readPlan = (text: Buffer): ShardPlan | undefined => {
  try {
    return JSON.parse(text.toString('utf8')) as ShardPlan
  } catch {
    return undefined
  }
}

/**
 * Tells in what this task differs from the plan that it was to follow.
 * @throws ProblemError `cluster/other-plan`
 */
const requirePlan = async (wanted: string, own: ShardPlan, tier: Tier): Promise<void> => {
  const file = (await tier.list('plan')).find(({ name }) => name.startsWith(`plan/${wanted}`))
  if (file !== undefined && planDigest(own).startsWith(wanted)) return
  const text = file && (await tier.read(file.name))
  const plan = text && readPlan(text)
  const names = Object.keys(MEANING) as (keyof ShardPlan)[]
  const differing = plan === undefined ? [] : names.filter((name) => plan[name] !== own[name])
  const told = differing.map(
    (name) => `${MEANING[name]}: ${plan?.[name] ?? 'none'} there, ${own[name] ?? 'none'} here`,
  )
  throw new ProblemError({
    code: 'cluster/other-plan',
    message:
      plan === undefined
        ? `the tier has no plan ${wanted}`
        : `this task would split the work otherwise than its plan (${told.join('; ')})`,
    where: { field: '--plan' },
    remedy:
      plan === undefined
        ? `Nothing was called. See that ${tier.place} is mounted here and is what the plan was made for, or make it anew with \`medmake cluster plan\`.`
        : 'Nothing was called. Have all tasks run the same program on the same files, or make the plan anew with `medmake cluster plan`.',
  })
}
