import type { Digest } from '../../cache/values/digest.ts'
import { formatAttempt, isLaterAttempt, listAttempts, type AttemptName } from '../../cache/tier/attempt.ts'
import { endsFolder, type Tier } from '../../cache/tier/tier.ts'

/** What a task said at its end. */
interface EndReport {
  readonly state: string
  readonly requests: number
  readonly answered: number
  readonly providerCalls: number
  readonly usd: number | null
}

/** How far a shard is, by what its attempts left on the tier. */
export interface ShardState {
  readonly shard: number
  readonly attempts: number
  /** `waiting` before the first attempt; `begun` while the last one has not said how it ended, at work or lost. */
  readonly state: string
  readonly requests: number | null
  readonly answered: number | null
  /** Of all attempts that said it. */
  readonly providerCalls: number
  readonly usd: number | null
}

export const shardStates = async (
  tier: Tier,
  plan: Digest<'plan'>,
  shards: number,
): Promise<readonly ShardState[]> => {
  const { begun, ended } = await listAttempts(tier, plan)
  const reports = new Map<string, EndReport>()
  for (const name of ended.map(formatAttempt)) {
    const text = await tier.read(`${endsFolder(plan)}/${name}.json`)
    if (text !== undefined) reports.set(name, JSON.parse(text.toString('utf8')) as EndReport)
  }
  return Array.from({ length: shards }, (_, shard) =>
    stateOf(
      shard,
      begun.filter((each) => each.shard === shard),
      reports,
    ),
  )
}

const stateOf = (
  shard: number,
  attempts: readonly AttemptName[],
  reports: ReadonlyMap<string, EndReport>,
): ShardState => {
  const last = attempts.reduce<AttemptName | undefined>(
    (latest, each) => (latest === undefined || isLaterAttempt(each, latest) ? each : latest),
    undefined,
  )
  const said = attempts.flatMap((each) => reports.get(formatAttempt(each)) ?? [])
  const end = last && reports.get(formatAttempt(last))
  return {
    shard,
    attempts: attempts.length,
    state: last === undefined ? 'waiting' : (end?.state ?? 'begun'),
    requests: end?.requests ?? null,
    answered: end?.answered ?? null,
    providerCalls: said.reduce((sum, { providerCalls }) => sum + providerCalls, 0),
    usd: said.some(({ usd }) => usd === null) ? null : said.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
  }
}
