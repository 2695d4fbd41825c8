import { z } from 'zod'
import type { Cap } from '../../targets/spend/cap.ts'

const Usd = z.number().nonnegative('US dollars, 0 or more')

const Limits = { max_usd: Usd.optional(), per_day: Usd.optional() }

/** `budget:` in medmake.yaml, in US dollars. */
export const BudgetConfig = z.strictObject({
  /** What a run may cost at most; `--max-usd` wins over it. */
  max_usd: Limits.max_usd,
  /** What all runs on this store may cost between two midnights, UTC. */
  per_day: Limits.per_day,
  /** The same for calls to single deployments, as models or as judges. */
  deployments: z.record(z.string(), z.strictObject(Limits)).default({}),
  /** A run that may cost more asks before it starts. */
  confirm_above: Usd.optional(),
})

export type Budget = z.output<typeof BudgetConfig>

/** Every cap that a run stands under. */
export const capsOf = (budget: Budget | undefined, maxUsd: number | undefined): readonly Cap[] => {
  const caps: Cap[] = []
  const add = (cap: Omit<Cap, 'usd'>, usd: number | undefined): void => {
    if (usd !== undefined) caps.push({ ...cap, usd })
  }
  if (maxUsd === undefined) add({ period: 'run', name: 'budget.max_usd' }, budget?.max_usd)
  else add({ period: 'run', name: '--max-usd' }, maxUsd)
  add({ period: 'day', name: 'budget.per_day' }, budget?.per_day)
  for (const [deployment, limits] of Object.entries(budget?.deployments ?? {})) {
    const name = `budget.deployments.${deployment}`
    add({ period: 'run', deployment, name: `${name}.max_usd` }, limits.max_usd)
    add({ period: 'day', deployment, name: `${name}.per_day` }, limits.per_day)
  }
  return caps
}
