import { ProblemError } from '../../cache/problems/problem.ts'
import type { Ranking } from '../../targets/compare/ranks/rank-models.ts'
import type { LeftOutParts, UnrankedCell } from '../../targets/compare/ranks/rank-columns.ts'
import type { OutputFormat } from './format.ts'
import { alignedTable, markdownTable, tabulated, type TextColumns } from '../../cache/words/tables.ts'
import {
  formatChance,
  formatValue,
  listText,
  rangeText,
  spanText,
  valueOrDash,
  plural,
  orDash,
} from '../../cache/words/number-text.ts'
import { untoldLines } from './untold-text.ts'
import { runsText, underFloorText } from './coverage-text.ts'

interface ShownRanking {
  readonly suite: string
  readonly ranking: Ranking
  /** Left out of its columns. */
  readonly unranked: readonly UnrankedCell[]
  readonly leftOut: readonly LeftOutParts[]
  /** Benchmarks that no win rate takes in. */
  readonly idle: readonly string[]
}

const COLUMNS: TextColumns<Ranking['models'][number] & { readonly letters: string }> = [
  ['model', ({ name }) => name],
  ['win rate', ({ winRate }) => formatValue(winRate)],
  ['on these', ({ winRateOnThese }) => spanText(winRateOnThese, formatValue)],
  ['like these', ({ winRateLikeThese }) => spanText(winRateLikeThese, formatValue)],
  ['rank', ({ rank }) => String(rank)],
  ['average', ({ average }) => valueOrDash(average?.mean)],
  ['on these', ({ average }) => spanText(average?.interval ?? null, formatValue)],
  ['ranks on these', ({ average }) => orDash(average?.onThese.marginal, rangeText)],
  ['all at once', ({ average }) => orDash(average?.onThese.simultaneous, rangeText)],
  ['like these', ({ average }) => orDash(average?.likeThese?.marginal, rangeText)],
  ['first', ({ average }) => (average?.first == null ? '–' : formatChance(average.first))],
  ['letters', ({ letters }) => letters],
]

/** @throws ProblemError `cli/bad-flag` for JUnit: a ranking passes or fails nothing */
export const formatRanking = (rankings: readonly ShownRanking[], format: OutputFormat): string => {
  if (format === 'junit')
    throw new ProblemError({
      code: 'cli/bad-flag',
      message: 'a ranking has no tests to report',
      where: { field: '--format' },
      remedy: 'Name two models, or use --format text, markdown or json.',
    })
  if (format === 'json') return JSON.stringify(rankings)
  const table = format === 'text' ? alignedTable : markdownTable
  return rankings
    .map(({ suite, ranking, unranked, leftOut, idle }) =>
      [
        format === 'text' ? suite : `### ${suite}`,
        '',
        ...(ranking.models.length === 0
          ? [
              `Nothing to rank: no ${ranking.columns.length === 0 ? 'benchmark that says what is better has scores of two models' : 'model has a score in every benchmark'}.`,
            ]
          : [
              table(
                ...tabulated(
                  COLUMNS,
                  ranking.models.map((model, at) => ({ ...model, letters: ranking.letters[at] ?? '' })),
                ),
              ),
              '',
              noteOf(ranking),
              ...untoldLines(ranking.untold, (name) => name),
            ]),
        ...(idle.length === 0 || ranking.columns.length === 0
          ? []
          : [
              `Left out, as fewer than two models have a score or nobody says what is better: ${idle.join(', ')}.`,
            ]),
        ...ranking.partial.map(
          ({ name, winRate, columns }) =>
            `Not ranked: ${name} has a score in ${columns} of the ${ranking.columns.length} benchmarks (win rate there ${formatValue(winRate)}).`,
        ),
        ...unranked.map(
          ({ deployment, benchmark, coverage, ...runs }) =>
            `Not ranked: ${deployment} in ${benchmark}: ${[runsText(runs), coverage === null ? '' : underFloorText(coverage)].filter((part) => part !== '').join(', ')}.`,
        ),
        ...leftOut.map(
          ({ benchmark, scenarios }) =>
            `Left out of ${benchmark}, as too few models have ${scenarios.length === 1 ? 'it' : 'them'}: ${scenarios.join(', ')}.`,
        ),
      ].join('\n'),
    )
    .join('\n\n')
}

/** Two statements that must not be taken for each other, and what each rests on. */
const noteOf = ({ columns, averaged, likeTheseReason }: Ranking): string => {
  const others = columns.filter((column) => !averaged.includes(column))
  return [
    `${plural(columns.length, 'benchmark')}, each model on the instances that it has in full, tests on common ones. On these: only their instances were drawn.`,
    likeTheseReason === ''
      ? 'Like these: further benchmarks of their kind.'
      : `Of benchmarks like these nothing is said: ${likeTheseReason}.`,
    averaged.length === 0
      ? 'No average: no scale has ends that all values lie within.'
      : 'Ranks are by the average over the scales: each set holds its rank with 95 %, all at once those of the next column.' +
        (others.length === 0
          ? ''
          : ` Averages leave out ${listText(others)}, of which no scale has ends that all values lie within.`),
    'Models that share a letter no test of their averages parts (Holm, 5 %). First: a share of draws around the averages, no confidence.',
  ].join(' ')
}
