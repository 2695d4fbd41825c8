import type { ComparedModels, ComparedScenario } from '../../../../targets/compare/compare-models.ts'
import { verdictOf } from '../../../../targets/compare/compare-sides.ts'
import { rangeOf } from '../../../../targets/statistics/scale.ts'
import type { CompareData } from './compare-data.ts'

/** Who has the better values, as far as the tests tell. */
export type Better = 'a' | 'b' | 'neither' | 'inconclusive' | 'unranked' | 'untested'

/** A run of both models, as figure and table show it. */
export interface ForestRow {
  readonly key: string
  readonly label: string
  readonly category: string
  /** From the site's root. */
  readonly href: string
  readonly access: string
  readonly metric: string
  readonly better: Better
  /** Hundredths of the scale, turned so that more is better for B; null where the scale has no ends or no direction. */
  readonly points: Points | null
  /** B − A in the metric's own units, as `medmake compare` tells it. */
  readonly found: ComparedScenario['result']
  /** The same where a side is under its floor: it decides nothing. */
  readonly unranked: ComparedScenario['unranked']
  /** Instances with a value of both. */
  readonly n: number
  readonly tally: ComparedScenario['tally']
}

interface Points {
  readonly difference: number
  readonly low: number | null
  readonly high: number | null
}

/** By board order. */
export const forestRows = (data: CompareData, { scenarios }: ComparedModels): readonly ForestRow[] =>
  scenarios.flatMap((each) => {
    const scenario = data.scenarios.find(({ key }) => key === each.scenario)
    const benchmark = data.benchmarks[scenario?.benchmark ?? -1]
    if (scenario === undefined || benchmark === undefined) return []
    const { label: _, ...about } = benchmark
    return [
      {
        ...about,
        key: each.scenario,
        label: scenario.label,
        better: betterOf(each),
        points: pointsOf(each),
        found: each.result,
        unranked: each.unranked,
        n: (each.result ?? each.unranked)?.common ?? 0,
        tally: each.tally,
      },
    ]
  })

const betterOf = ({ result, unranked, metric: { lowerIsBetter } }: ComparedScenario): Better => {
  if (unranked !== null) return 'unranked'
  const verdict = result === null ? 'not tested' : verdictOf(result)
  if (verdict === 'inconclusive') return 'inconclusive'
  if (verdict === 'no difference') return 'neither'
  if (verdict === 'not tested' || lowerIsBetter === undefined) return 'untested'
  return (verdict === 'more') === lowerIsBetter ? 'a' : 'b'
}

const pointsOf = ({
  result,
  unranked,
  metric: { range, lowerIsBetter },
}: ComparedScenario): Points | null => {
  const found = result ?? unranked
  if (found === null || found.difference === null || range === undefined || lowerIsBetter === undefined)
    return null
  const points = (value: number): number => ((lowerIsBetter ? -1 : 1) * 100 * value) / rangeOf(range)
  const { interval } = found
  const ends = interval === null ? [] : [points(interval.low), points(interval.high)]
  return {
    difference: points(found.difference),
    low: ends.length === 0 ? null : Math.min(...ends),
    high: ends.length === 0 ? null : Math.max(...ends),
  }
}

/** @param order `difference`: what speaks for B first; `category`: the board's order; `instances`: the most first */
export const ordered = (rows: readonly ForestRow[], order: string): readonly ForestRow[] => {
  if (order === 'category') return rows
  const valueOf = ({ points, n }: ForestRow): number =>
    order === 'instances' ? n : (points?.difference ?? -Infinity)
  return rows.toSorted((one, other) => {
    const [left, right] = [valueOf(one), valueOf(other)]
    return left === right ? 0 : right - left
  })
}

/** Rows by who is better. */
export const countBetter = (rows: readonly Pick<ForestRow, 'better'>[]): Readonly<Record<Better, number>> => {
  const counts = { a: 0, b: 0, neither: 0, inconclusive: 0, unranked: 0, untested: 0 }
  for (const { better } of rows) counts[better] += 1
  return counts
}
