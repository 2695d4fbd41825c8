import { Float } from '../../benchmarks/python/numbers/float.ts'
import { pyFloat, pyInt } from '../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { done, failed, type Outcome } from '../../cache/outcome.ts'
import type { Dialect } from '../profile.ts'

/** Python's `float(score)`: true is 1, a text must be a number. Undefined where Python raises an exception. */
const toFloat = (score: PyValue): number | undefined => {
  if (typeof score === 'boolean') return score ? 1 : 0
  if (typeof score === 'bigint') return Number(score)
  if (typeof score === 'string') return pyFloat(score)
  if (score instanceof Float) return score.value
  return typeof score === 'number' ? score : undefined
}

/** Python's `int(score)`: numbers lose their fraction, a text must be a whole number. */
const toInt = (score: PyValue): number | undefined => {
  if (typeof score === 'string') {
    const whole = pyInt(score)
    return whole === undefined ? undefined : Number(whole)
  }
  const value = toFloat(score)
  // Adding 0 makes -0, which Python's ints have not, 0.
  return value === undefined ? undefined : Math.trunc(value) + 0
}

const NUMBERS = { int: toInt, float: toFloat } satisfies Readonly<Record<Dialect['scores'], unknown>>

/** Beyond this the sum of squares of a large run may be no number any more. */
const GREATEST = 1e149

/**
 * All scores of one judgement, criteria that the judge added included, unclamped (HELM.md T13). The originals abort the run where a score is no number, or write an infinite one; here the
 * judgement as a whole fails: `not-an-object`, `missing-score` or `score-not-a-number`.
 * @param scores how a score becomes a number: `int` in helm-0.5.16, `float` in medhelm-0.8
 */
export const judgeScores = (
  judgement: PyValue,
  scores: Dialect['scores'] = 'int',
): Outcome<readonly number[]> => {
  if (!(judgement instanceof Map)) return failed('not-an-object', 'the judgement is no object of criteria')
  const numbers: number[] = []
  for (const [criterion, verdict] of judgement) {
    const score: PyValue | undefined = verdict instanceof Map ? verdict.get('score') : undefined
    if (score === undefined) return failed('missing-score', `${JSON.stringify(criterion)} holds no score`)
    const number = NUMBERS[scores](score)
    if (number === undefined || !(Math.abs(number) <= GREATEST))
      return failed('score-not-a-number', `the score of ${JSON.stringify(criterion)} is no number`)
    numbers.push(number)
  }
  return done(numbers)
}
