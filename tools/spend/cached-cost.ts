import { getRows } from '../../targets/record/record.ts'
import { planTarget, type TargetPlan } from '../../targets/scheduler/plan-target.ts'
import type { Target } from '../../targets/record/target.ts'
import { freshRecord } from '../../targets/scheduler/trace.ts'
import { keepingFor } from '../../targets/env/restricted-env.ts'
import { readLedger, type PlacedEntry } from '../../targets/spend/ledger.ts'
import { usageCosts } from '../../targets/spend/usage-costs.ts'
import type { Session } from '../session/session.ts'

/** What the stored replies of a run once cost. */
export interface CachedCost {
  /** Calls in the ledger. */
  readonly calls: number
  /** US dollars; null where the cost of any of them is not known. */
  readonly usd: number | null
  /** UTC days of the first and last of them. */
  readonly from?: string
  readonly to?: string
  /** Stored answers that the ledger does not know: imported, or older than it. */
  readonly unrecorded: number
  /** What asking for everything again would cost now; null where not known, absent of a run with something to do. */
  readonly again?: number | null
}

/** A run's plan, and what of it was paid for before. */
export const planWithCost = async (
  target: Target,
  session: Session,
): Promise<{ readonly plan: TargetPlan; readonly cost: CachedCost }> => {
  const answers = new Set<string>()
  const plan = await planTarget(target, session.env, ({ completion }) => {
    if (completion !== undefined) answers.add(completion.digest)
  })
  const again = plan.fresh ? await freshAnswers(target, plan, session, answers) : undefined
  const { name, benchmark } = target.spec
  const { store } = await keepingFor(benchmark, session.env)
  const entries = [...readLedger(store)].filter(
    ({ completion, judge, target: run }) => answers.has(completion) || (judge !== null && run === name),
  )
  return { plan, cost: { ...sumUp(entries, answers), ...(again === undefined ? {} : { again }) } }
}

/** Adds the answers of a finished run; what they and its judges' replies would cost now. */
const freshAnswers = async (
  target: Target,
  { key }: TargetPlan,
  { env }: Session,
  answers: Set<string>,
): Promise<number | null> => {
  const { store } = await keepingFor(target.spec.benchmark, env)
  const fresh = freshRecord(key.digest, store)
  if (fresh === undefined) return null
  const rows = getRows(fresh.digest, fresh.record, store)
  const costs = usageCosts(target, fresh.record.usage, env.spending.priceOf)
  // Of embedded models nothing was ever paid.
  const length = costs.length === 0 ? 0 : (rows?.length ?? 0)
  for (let row = 0; row < length; row += 1) {
    const answer = rows?.get(row, 1)
    if (answer !== undefined) answers.add(answer)
  }
  return costs.reduce<number | null>((sum, { usd }) => (sum === null || usd === null ? null : sum + usd), 0)
}

const sumUp = (entries: readonly PlacedEntry[], answers: ReadonlySet<string>): CachedCost => {
  const days = entries.map(({ time }) => time.slice(0, 10)).sort()
  const [from, to] = [days[0], days.at(-1)]
  const recorded = new Set(entries.map(({ completion }) => completion as string))
  return {
    calls: entries.length,
    usd: entries.some(({ usd }) => usd === null)
      ? null
      : entries.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
    ...(from === undefined || to === undefined ? {} : { from, to }),
    unrecorded: [...answers].filter((answer) => !recorded.has(answer)).length,
  }
}
