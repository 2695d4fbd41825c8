import { ProblemError } from '../../cache/problem.ts'
import { groupLetters } from '../../targets/compare/group-letters.ts'
import type { Ranking } from '../../targets/compare/rank-models.ts'
import type { UnrankedCell } from '../../targets/compare/rank-columns.ts'
import { underFloorText } from './numbers.ts'
import type { Format } from './format.ts'
import { number, percent, range } from './numbers.ts'
import { alignedTable, markdownTable } from './tables.ts'

/** A suite's models by win rate. */
export interface SuiteRanking {
  readonly suite: string
  readonly ranking: Ranking
  /** Left out of its columns. */
  readonly unranked: readonly UnrankedCell[]
}

const HEADS = [
  'model',
  'win rate',
  '95 % interval',
  'rank',
  '95 % of ranks',
  'first',
  'top 3',
  'ties',
] as const

/** @throws ProblemError `cli/bad-flag` for JUnit: a ranking passes or fails nothing */
export const formatRanking = (rankings: readonly SuiteRanking[], format: Format): string => {
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
    .map(({ suite, ranking, unranked }) =>
      [
        format === 'text' ? suite : `### ${suite}`,
        '',
        table(
          HEADS,
          ranking.models.map((_, place) => cells(ranking, place)),
        ),
        '',
        `${ranking.columns.length} benchmarks; ${ranking.resamples.toLocaleString('en')} resamples of benchmarks and of instances. Models that share a letter under ties do not differ (Holm, 5 %).`,
        ...ranking.partial.map(
          ({ name, winRate, columns }) =>
            `Not ranked: ${name} has a score in ${columns} of the ${ranking.columns.length} benchmarks (win rate there ${number(winRate)}).`,
        ),
        ...unranked.map(
          ({ deployment, benchmark, coverage }) =>
            `Not ranked: ${deployment} in ${benchmark}: ${underFloorText(coverage)}.`,
        ),
      ].join('\n'),
    )
    .join('\n\n')
}

const cells = ({ models, groups }: Ranking, place: number): readonly string[] => {
  const model = models[place]
  if (model === undefined) return []
  const { low, high } = model.ranks
  return [
    model.name,
    number(model.winRate),
    range(model.winRateInterval, number),
    String(model.rank),
    low === high ? String(low) : `${low}–${high}`,
    percent(model.first),
    percent(model.topThree),
    groupLetters(groups, place),
  ]
}
