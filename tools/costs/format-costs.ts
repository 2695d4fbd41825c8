import { countText } from '../spend/count-text.ts'
import { groupBy } from '../../cache/group-by.ts'
import { addUsages } from '../../targets/board/board-cost.ts'
import type { CostTotal } from '../../targets/board/cost-table.ts'
import { csvText } from '../compare/csv.ts'
import { alignedTable } from '../compare/tables.ts'
import type { CostsReport } from './costs-report.ts'

const usd = (value: number | null): string => {
  if (value === null) return 'unknown'
  return value !== 0 && value < 0.01 ? '< 0.01' : value.toFixed(2)
}

const HEADS = [
  'calls',
  'tokens in',
  'of it cached',
  'tokens out',
  'answers $',
  'jury $',
  'total $',
  'at max_tokens $',
]

const table = (what: string, totals: readonly CostTotal[]): string =>
  alignedTable(
    [what, ...HEADS],
    totals.map(({ name, usage, answers, jury, usd: sum, ceiling }) => [
      name,
      countText(usage.calls),
      countText(usage.inputTokens),
      countText(usage.cachedInputTokens),
      countText(usage.outputTokens),
      ...[answers, jury, sum, ceiling].map(usd),
    ]),
  )

/** Totals by model, benchmark and judge, the prices behind them, and what is not known. */
export const formatCosts = (report: CostsReport): string => {
  const { models, benchmarks, judges, total, prices } = report
  const sources = prices
    .filter(({ input, output }) => input + output > 0)
    .map(
      ({ deployment, input, output, date, source }) =>
        `  ${deployment}: ${input} in, ${output} out per million tokens, ${date}, ${source}`,
    )
  return [
    table('model', [...models, total]),
    table('benchmark', benchmarks),
    ...(judges.length === 0 ? [] : [table('judge', judges)]),
    [
      'What the stored answers took, whether they were asked in this run or an earlier one.',
      'at max_tokens: the same with every reply at its longest and no prompt cached.',
    ].join('\n'),
    ...(sources.length === 0 ? [] : [['Prices in US dollars:', ...sources].join('\n')]),
  ].join('\n\n')
}

/** Why dollars are unknown, and what to do; empty where all are known. */
export const unknownText = ({ unpriced, lines }: CostsReport): readonly string[] => {
  const untold = groupBy(lines, ({ deployment, usd: cost }) =>
    cost === null && !unpriced.includes(deployment) ? deployment : undefined,
  )
  return [
    ...(unpriced.length === 0
      ? []
      : [`No price is declared for ${unpriced.join(', ')}: add it to prices: in models/prices.yaml.`]),
    ...[...untold].map(
      ([deployment, own]) =>
        `${deployment} told no token counts for ${countText(addUsages(own.map(({ usage }) => usage)).unknown)} of its replies: what they cost is not known.`,
    ),
  ]
}

/** A row for each model, benchmark and judge. */
export const csvCosts = ({ lines }: CostsReport): string =>
  csvText(
    [
      'model',
      'benchmark',
      'judge',
      'deployment',
      'calls',
      'calls_without_usage',
      'input_tokens',
      'cached_input_tokens',
      'output_tokens',
      'reasoning_tokens',
      'seconds',
      'usd',
      'usd_at_max_tokens',
    ],
    lines.map(({ model, benchmark, judge, deployment, usage, usd: cost, ceiling }) => [
      model,
      benchmark,
      judge,
      deployment,
      usage.calls,
      usage.unknown,
      usage.inputTokens,
      usage.cachedInputTokens,
      usage.outputTokens,
      usage.reasoningTokens,
      usage.seconds,
      cost,
      ceiling,
    ]),
  )
