import { targetKey } from '../keys/keys.ts'
import { planStages, type TargetPlan } from '../scheduler/plan-target.ts'
import { nothingToDo } from '../walk/modes/plan.ts'
import type { Target } from '../record/target.ts'
import { freshRecord } from '../record/trace.ts'
import { keepingFor, type SharedEnv } from '../env/env.ts'
import { readLedger, type PlacedEntry } from '../spend/ledger.ts'
import { sumOfCosts } from '../spend/spending.ts'
import { usageCosts } from '../spend/paid-attempt.ts'

/** What the stored replies of a run once cost. */
export interface CachedCost {
  /** Calls in the ledger. */
  readonly calls: number
  /** US dollars; null where the cost of any of them is not known. */
  readonly usd: number | null
  /** UTC days of the first and last of them. */
  readonly from?: string
  readonly to?: string
  /** Stored replies that the ledger does not know: imported, or older than it. */
  readonly unrecorded: number
  /** What asking for everything again would cost now; null where not known, absent of a run with something to do. */
  readonly again?: number | null
}

/** A run's plan, and what of it was paid for before, in whichever run. */
export const planWithCost = async (
  target: Target,
  env: SharedEnv,
): Promise<{ readonly plan: TargetPlan; readonly cost: CachedCost }> => {
  const used = new Set<string>()
  const key = await targetKey(target, env.profile)
  const stages = await planStages(target, key, env, {
    onCall: ({ completion }) => {
      if (completion !== undefined) used.add(completion.digest)
    },
    onJudged: (replies) => {
      for (const reply of replies) used.add(reply)
    },
  })
  const { store } = await keepingFor(target.spec.benchmark, env)
  const fresh = freshRecord(key.digest, env.records)
  const plan =
    fresh === undefined
      ? { target, key, fresh: false, ...stages }
      : { target, key, fresh: true, ...nothingToDo(fresh.trace.counts) }
  const again = fresh && againCost(usageCosts(target, fresh.record.usage, env.spending.priceOf))
  const entries = [...readLedger(store)].filter(({ completion }) => used.has(completion))
  return { plan, cost: { ...sumUp(entries, used), ...(again === undefined ? {} : { again }) } }
}

/** What its answers and its judges' replies would cost now. */
const againCost = (costs: ReturnType<typeof usageCosts>): number | null =>
  sumOfCosts(costs.map(({ usd }) => usd))

/** @param used replies that the run stands on; a reply may have several entries */
export const sumUp = (entries: readonly PlacedEntry[], used: ReadonlySet<string>): CachedCost => {
  const days = entries.map(({ time }) => time.slice(0, 10)).sort()
  const [from, to] = [days[0], days.at(-1)]
  const recorded = new Set(entries.map(({ completion }) => completion as string))
  return {
    calls: entries.length,
    usd: sumOfCosts(entries.map(({ usd }) => usd)),
    ...(from === undefined || to === undefined ? {} : { from, to }),
    unrecorded: [...used].filter((reply) => !recorded.has(reply)).length,
  }
}
