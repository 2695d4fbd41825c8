import { JsonError, loads } from '../../../benchmarks/python/json.ts'
import { lstrip, rstrip, strip } from '../../../benchmarks/python/text.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { ItemGrading } from '../../../benchmarks/scenario/benchmark.ts'
import { done, failed, type Outcome } from '../../../cache/problems/problem.ts'
import { parseReply } from '../judge-scores.ts'
import { numberOf, Float, str } from '../../../benchmarks/python/numbers/number.ts'
import type { RubricItem } from '../../../benchmarks/scenario/rubric.ts'

/** A grader's reply: whether the criterion is met, and why, with whatever else it says. */
export type Grade = ReadonlyMap<string, PyValue>

/** Names the reading of graders' replies and of what follows from it; raised when either changes. */
export const GRADING_VERSION = '1'

const KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['explanation', []],
  ['criteria_met', []],
])

/**
 * Reads a grader's reply (HELM.md T27). `medhelm-0.8`: JSON between the outermost braces, in which both keys stand.
 * `health-bench`: the whole reply but for one fence is a JSON object whose `criteria_met` is true or false.
 */
export const readGrade = (reply: string, style: ItemGrading['style']): Outcome<Grade> => {
  if (style === 'health-bench') return readVerdict(reply)
  return parseReply(reply, KEYS, 'criteria') as Outcome<Grade>
}

const readVerdict = (reply: string): Outcome<Grade> => {
  let value: PyValue
  try {
    value = loads(withoutFence(strip(reply)))
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return failed('unparseable', `${error.message} (line ${error.line}, column ${error.column})`)
  }
  if (!(value instanceof Map)) return failed('not-an-object', 'the reply is JSON, but no object')
  const grade = value as Grade
  if (typeof grade.get('criteria_met') !== 'boolean')
    return failed('missing-key', '"criteria_met" is neither true nor false')
  return done(grade)
}

const withoutFence = (text: string): string => {
  const inner = text.startsWith('```json') ? lstrip(text.slice('```json'.length)) : text
  return inner.endsWith('```') ? rstrip(inner.slice(0, -'```'.length)) : inner
}

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
