import { countText, fixed } from '../../cache/words/number-text.ts'
import { groupBy } from '../../cache/lists.ts'
import { addUsages } from '../../targets/board/board-cost.ts'
import type { CostsReport, CostTotal } from '../../targets/board/cost-table.ts'
import { csvText } from '../../cache/words/csv-text.ts'
import { alignedTable, tabulated, type TextColumns } from '../../cache/words/tables.ts'
import { unpricedLines } from '../spend/money-text.ts'

const usd = (value: number | null): string => {
  if (value === null) return 'unknown'
  return value !== 0 && value < 0.01 ? '< 0.01' : fixed(value, 2)
}

const COLUMNS: TextColumns<CostTotal> = [
  ['calls', ({ usage }) => countText(usage.calls)],
  ['tokens in', ({ usage }) => countText(usage.inputTokens)],
  ['of it cached', ({ usage }) => countText(usage.cachedInputTokens)],
  ['tokens out', ({ usage }) => countText(usage.outputTokens)],
  ['answers $', ({ answers }) => usd(answers)],
  ['jury $', ({ jury }) => usd(jury)],
  ['total $', (total) => usd(total.usd)],
  ['at max_tokens $', ({ ceiling }) => usd(ceiling)],
]

const table = (what: string, totals: readonly CostTotal[]): string =>
  alignedTable(...tabulated([[what, ({ name }) => name], ...COLUMNS], totals))

/** Totals by model, benchmark and judge, the prices behind them, and what is not known. */
export const formatCosts = (report: CostsReport): string => {
  const { models, benchmarks, judges, total, prices } = report
  const sources = prices
    .filter(({ input, output }) => input + output > 0)
    .map(
      ({ deployment, input, cachedInput, output, date, source }) =>
        `  ${deployment}: ${input} in, ${cachedInput === undefined ? '' : `${cachedInput} cached, `}${output} out per million tokens, ${date}, ${source}`,
    )
  return [
    table('model', [...models, total]),
    table('benchmark', benchmarks),
    ...(judges.length === 0 ? [] : [table('judge', judges)]),
    [
      'What the stored answers take at list prices, whenever they were asked; what was paid, for batches less, tells medmake spend.',
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
    ...unpricedLines(unpriced),
    ...[...untold].map(
      ([deployment, own]) =>
        `${deployment} told no token counts for ${countText(addUsages(own.map(({ usage }) => usage)).unknown)} of its replies: what they cost is not known.`,
    ),
  ]
}

const CSV: TextColumns<CostsReport['lines'][number], string | number | null> = [
  ['model', ({ model }) => model],
  ['benchmark', ({ benchmark }) => benchmark],
  ['judge', ({ judge }) => judge],
  ['deployment', ({ deployment }) => deployment],
  ['calls', ({ usage }) => usage.calls],
  ['calls_without_usage', ({ usage }) => usage.unknown],
  ['input_tokens', ({ usage }) => usage.inputTokens],
  ['cached_input_tokens', ({ usage }) => usage.cachedInputTokens],
  ['output_tokens', ({ usage }) => usage.outputTokens],
  ['reasoning_tokens', ({ usage }) => usage.reasoningTokens],
  ['seconds', ({ usage }) => usage.seconds],
  ['usd', ({ usd: cost }) => cost],
  ['usd_at_max_tokens', ({ ceiling }) => ceiling],
]

/** A row for each model, benchmark and judge. */
export const csvCosts = ({ lines }: CostsReport): string => csvText(...tabulated(CSV, lines))
