import type { Comparison } from '../../targets/compare/compare-runs.ts'
import type { FailIf } from '../../targets/compare/fail-if.ts'
import { chance, effectText, number, range, signed, underFloorText } from './numbers.ts'

/** A comparison and the clauses that it breaks. */
export interface JudgedComparison {
  readonly comparison: Comparison
  readonly broken: readonly FailIf[]
}

/** Heads of the columns that `comparisonCells` fills. */
export const COMPARISON_HEADS = [
  'scenario',
  'metric',
  'n',
  'A',
  'B',
  'B − A',
  '95 % interval',
  'p',
  'Holm',
  'effect',
  'MDE',
  'test',
] as const

/** One row of a table, by `COMPARISON_HEADS`. */
export const comparisonCells = ({ comparison }: JudgedComparison): readonly string[] => {
  const { scenario, metric, lowerIsBetter, unranked, result } = comparison
  const arrow = lowerIsBetter === null ? '' : lowerIsBetter ? ' ↓' : ' ↑'
  const start = [scenario, `${metric}${arrow}`, count(comparison)]
  if (result === null) {
    const means = unranked === null || unranked.n === 0 ? [] : [unranked.meanA, unranked.meanB]
    const shown = [...start, ...means.map((mean) => `~${number(mean)}`)]
    return [...shown, ...COMPARISON_HEADS.slice(shown.length).map(() => '–')]
  }
  return [
    ...start,
    number(result.meanA),
    number(result.meanB),
    signed(result.difference),
    range(result.interval, signed),
    chance(result.p),
    chance(result.holm),
    effectText(result.effect),
    result.mde === null ? '–' : number(result.mde),
    result.test,
  ]
}

/** `120`, `120 in 40` clusters, `118 (2|1 unpaired)`. */
const count = ({ result, unranked, unpairedA, unpairedB }: Comparison): string => {
  const n = result?.n ?? unranked?.n ?? 0
  const clusters = result === null || result.clusters === n ? '' : ` in ${result.clusters}`
  const unpaired = unpairedA + unpairedB === 0 ? '' : ` (${unpairedA}|${unpairedB} unpaired)`
  return `${n}${clusters}${unpaired}`
}

/** What the columns mean; below every table. */
export const COMPARISON_NOTE =
  'On the instances that both sides answered. MDE: the true difference that so many instances show in 80 % of cases. Holm: p adjusted for all rows.'

/** One line for each comparison that decides nothing, as too much of a side is missing. */
export const unrankedLines = (judged: readonly JudgedComparison[]): readonly string[] =>
  judged.flatMap(({ comparison: { scenario, metric, runB, unranked } }) => {
    if (unranked === null) return []
    const { a, b } = unranked
    const sides = [
      ...(a === null ? [] : [`A: ${underFloorText(a)}`]),
      ...(b === null ? [] : [`B: ${underFloorText(b)}`]),
    ]
    return [`not compared: ${scenario}, ${metric} of ${runB}: ${sides.join('; ')}`]
  })

/** One line for each clause that holds. */
export const brokenLines = (judged: readonly JudgedComparison[]): readonly string[] =>
  judged.flatMap(({ comparison, broken }) =>
    broken.map(({ text }) => {
      const { scenario, metric, runB, result } = comparison
      const moved = result === null ? '' : `: ${signed(result.difference)}`
      return `regression: ${scenario}, ${metric}${moved}, p ${chance(result?.p ?? 1)} (${text}) in ${runB}`
    }),
  )
