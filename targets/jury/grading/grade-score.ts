import { numberOf, Float } from '../../../benchmarks/python/numbers/float.ts'
import { str } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { RubricItem } from '../../../benchmarks/scenario/rubric.ts'
import type { Grade } from './read-grade.ts'

type Points = Pick<RubricItem, 'points'>

/** Points of the items that are met over those that are above 0; undefined where none is. May be below 0. */
export const pointsScore = (items: readonly (Points & { readonly met: boolean })[]): number | undefined => {
  const possible = sum(items.filter(({ points }) => points > 0))
  return possible > 0 ? sum(items.filter(({ met }) => met)) / possible : undefined
}

/**
 * medhelm 0.8.0's score of a rubric: points below 0 count as 10 + points, and grades are taken for the first items in
 * their order, whichever they were given for (HELM.md T27). Undefined where the points add up to 0.
 */
export const foldedScore = (items: readonly Points[], grades: readonly Grade[]): number | undefined => {
  const folded = items.map(({ points }) => ({ points: points < 0 ? 10 + points : points }))
  const possible = sum(folded)
  return possible === 0 ? undefined : sum(folded.filter((_, index) => isMet(grades[index]))) / possible
}

/** The folded score and the comparison with a physician's answer, from 1 to 10, in equal parts; undefined where that is no number. */
export const comparedScore = (score: number, comparison: PyValue): number | undefined => {
  const value = comparison === true ? 1 : comparison === false ? 0 : comparison
  if (typeof value !== 'number' && !(value instanceof Float)) return undefined
  const mixed = (score + numberOf(value) / 10) / 2
  return Number.isFinite(mixed) ? mixed : undefined
}

const sum = (items: readonly Points[]): number => items.reduce((total, { points }) => total + points, 0)

/** Python's `str(grade.get('criteria_met', '')).lower() == 'true'`. */
const isMet = (grade: Grade | undefined): boolean =>
  grade !== undefined && str(grade.get('criteria_met') ?? '').toLowerCase() === 'true'
