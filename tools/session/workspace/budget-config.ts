import { z } from 'zod'
import type { Cap } from '../../../targets/spend/cap.ts'

const Usd = z.number().nonnegative('US dollars, 0 or more')

const Limits = { max_usd: Usd.optional(), per_day: Usd.optional() }

export const BudgetConfig = z
  .strictObject({
    max_usd: Limits.max_usd.meta({
      description: 'What a run may cost at most; --max-usd wins over it.',
      examples: ['20'],
    }),
    per_day: Limits.per_day.meta({
      description: 'What all runs on this store may cost between two midnights, UTC.',
      examples: ['50'],
    }),
    deployments: z
      .record(z.string(), z.strictObject(Limits))
      .default({})
      .meta({
        description: 'The same for calls to single deployments, as models or as judges.',
        examples: ['{ openai/gpt-4o-2024-05-13: { max_usd: 5, per_day: 10 } }'],
      }),
    confirm_above: Usd.optional().meta({
      description: 'A run that may cost more asks before it starts; --yes goes on unasked.',
      examples: ['5'],
    }),
  })
  .describe('What may be spent, US dollars. A run stops before a cap is passed, exit 4.')

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
