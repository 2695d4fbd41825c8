import type { Digest } from '../values/digest.ts'
import {
  Attempt,
  formatAttempt,
  isLaterAttempt,
  listAttempts,
  parseAttempt,
  type AttemptName,
  type AttemptOptions,
} from './attempt.ts'

/** Of a plan's task: which plan, by the part of its digest that names hold, and which attempt. */
const OWNER = /^segments\/([0-9a-f]+)\/(\d+-\d+-[0-9a-f]{16})\./

/** What an attempt says that asked nobody. */
const NOTHING = { state: 'stopped', requests: 0, answered: 0, targets: 0, providerCalls: 0, usd: 0 }

/**
 * Sees to it that no task begins a call whose reply would go to a segment: where the last attempt at its shard has not said
 * that it ended, the shard is taken over, as by a later attempt, and left again.
 */
export const createTakeOver = (
  { tier, lease, now }: Pick<AttemptOptions, 'tier' | 'lease' | 'now'>,
  onWait: (attempts: readonly AttemptName[]) => void,
): ((segment: string) => Promise<void>) => {
  const left = new Set<string>()
  return async (segment) => {
    const [, short, name] = OWNER.exec(segment) ?? []
    const shard = parseAttempt(`${name}.json`)?.shard
    if (short === undefined || shard === undefined || left.has(`${short}/${shard}`)) return
    left.add(`${short}/${shard}`)
    const plan = short as Digest<'plan'>
    const { begun, ended } = await listAttempts(tier, plan)
    const own = begun.filter((each) => each.shard === shard)
    const last = own.reduce<AttemptName | undefined>(
      (latest, each) => (latest === undefined || isLaterAttempt(each, latest) ? each : latest),
      undefined,
    )
    if (last === undefined || ended.some((each) => formatAttempt(each) === formatAttempt(last))) return
    const attempt = await Attempt.begin({ tier, plan, shard, lease, now })
    await attempt.waitForEarlier(new AbortController().signal, onWait)
    await attempt.end(NOTHING)
  }
}
