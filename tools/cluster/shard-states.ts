import type { Digest } from '../../cache/values/digest.ts'
import type { Json } from '../../cache/values/json.ts'
import { storedShape } from '../../cache/stored-shape.ts'
import { formatAttempt, isLaterAttempt, listAttempts, type AttemptName } from '../../cache/tier/attempt.ts'
import { endsFolder, type Tier } from '../../cache/tier/tier.ts'

interface EndReport {
  readonly state: string
  readonly requests: number | null
  readonly answered: number | null
  readonly providerCalls: number
  readonly usd: number | null
}

const endReport = storedShape<EndReport>('how a task ended', { state: 'text', providerCalls: 'number' })

/** Of a damaged file: the shard is none that is done, and what was paid is not known. */
const UNREADABLE = { state: 'unreadable', requests: null, answered: null, providerCalls: 0, usd: null }

const readEnd = (text: Buffer): EndReport => {
  try {
    return endReport(JSON.parse(text.toString('utf8')) as Json) ?? UNREADABLE
  } catch {
    return UNREADABLE
  }
}

/** How far a shard is, by what its attempts left on the tier. */
export interface ShardState {
  readonly shard: number
  readonly attempts: number
  /**
   * `waiting` before the first attempt; `begun` while the last one has not said how it ended, at work or lost; `unreadable`
   * where what it said is damaged.
   */
  readonly state: string
  readonly requests: number | null
  readonly answered: number | null
  /** Of all attempts that said it. */
  readonly providerCalls: number
  /** Null while one attempt has not said it. */
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
    if (text !== undefined) reports.set(name, readEnd(text))
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
  const said = attempts.map((each) => reports.get(formatAttempt(each)))
  const end = last && reports.get(formatAttempt(last))
  return {
    shard,
    attempts: attempts.length,
    state: last === undefined ? 'waiting' : (end?.state ?? 'begun'),
    requests: end?.requests ?? null,
    answered: end?.answered ?? null,
    providerCalls: said.reduce((sum, report) => sum + (report?.providerCalls ?? 0), 0),
    usd: said.reduce<number | null>(
      (sum, report) => (sum === null || typeof report?.usd !== 'number' ? null : sum + report.usd),
      0,
    ),
  }
}
