import { float, type Float } from '../../benchmarks/python/numbers/number.ts'
import type { TableRun } from './table.ts'

const COUNTED = ['num_prompt_tokens', 'num_completion_tokens', 'num_completions', 'num_requests'] as const

/** A float as soon as a stat was added, were it 0, as Python adds; an entry that nothing was added to is a whole 0. */
type Total = 0 | Float

/** What costs.json says of a deployment. */
type Cost = ReadonlyMap<(typeof COUNTED)[number] | 'total_tokens', Total>

type CostedRun = Pick<TableRun, 'stats'> & { readonly adapter: Pick<TableRun['adapter'], 'modelDeployment'> }

/** Sums by deployment of the stats without a split, which only dry runs have (HELM.md T24). */
export const costs = (runs: readonly CostedRun[]): ReadonlyMap<string, Cost> => {
  const byDeployment = new Map<string, Map<(typeof COUNTED)[number] | 'total_tokens', Total>>()
  for (const run of runs) {
    for (const { name, sum } of run.stats) {
      const key = COUNTED.find((counted) => counted === name.name)
      if (name.split !== undefined || key === undefined) continue
      const cost = byDeployment.get(run.adapter.modelDeployment) ?? new Map()
      cost.set(key, added(cost.get(key) ?? 0, float(sum)))
      byDeployment.set(run.adapter.modelDeployment, cost)
    }
  }
  for (const cost of byDeployment.values()) {
    // HELM's dictionary makes an entry of 0 of what it is asked for in vain.
    const [asked, answered] = [cost.get('num_prompt_tokens') ?? 0, cost.get('num_completion_tokens') ?? 0]
    cost.set('num_prompt_tokens', asked).set('num_completion_tokens', answered)
    cost.set('total_tokens', added(asked, answered))
  }
  return byDeployment
}

const added = (a: Total, b: Total): Total => (a === 0 ? b : b === 0 ? a : float(a.value + b.value))
