import { Float } from '../../benchmarks/python/float.ts'
import { pyInt } from '../../benchmarks/python/number.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { done, failed, type Outcome } from '../../cache/outcome.ts'

/** Python's `int(score)`: numbers lose their fraction, true is 1, a text must be a whole number. */
const truncate = (score: PyValue): number | undefined => {
  if (typeof score === 'boolean') return score ? 1 : 0
  if (typeof score === 'bigint') return Number(score)
  if (typeof score === 'string') {
    const whole = pyInt(score)
    return whole === undefined ? undefined : Number(whole)
  }
  const value = score instanceof Float ? score.value : score
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  // Adding 0 makes -0, which Python's ints have not, 0.
  return Math.trunc(value) + 0
}

/**
 * All scores of one judgement under the profile helm-0.5.16, criteria that the judge added included, unclamped
 * (medhelm-benchmarks.md §4.3). HELM aborts the run where a score is no number; here the judgement as a whole fails:
 * `not-an-object`, `missing-score` or `score-not-a-number`.
 */
export const judgeScores = (judgement: PyValue): Outcome<readonly number[]> => {
  if (!(judgement instanceof Map)) return failed('not-an-object', 'the judgement is no object of criteria')
  const scores: number[] = []
  for (const [criterion, verdict] of judgement) {
    const score: PyValue | undefined = verdict instanceof Map ? verdict.get('score') : undefined
    if (score === undefined) return failed('missing-score', `${JSON.stringify(criterion)} holds no score`)
    const whole = truncate(score)
    if (whole === undefined)
      return failed('score-not-a-number', `the score of ${JSON.stringify(criterion)} is no number`)
    scores.push(whole)
  }
  return done(scores)
}
