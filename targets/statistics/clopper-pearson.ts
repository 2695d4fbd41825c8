import { regularizedBeta } from './distributions/incomplete-beta.ts'
import type { Interval } from './interval.ts'

/** The x at which a rising function of 0 … 1 reaches `wanted`, to the last digit. */
const solve = (rising: (x: number, y: number) => number, wanted: number): number => {
  let low = 0
  let high = 1
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) return middle
    if (rising(middle, 1 - middle) < wanted) low = middle
    else high = middle
  }
}

/**
 * The exact interval of a proportion: it never covers less often than it says, and often more.
 *
 * @param successes 0 … `trials`
 * @throws RangeError when the counts are no counts
 */
export const clopperPearson = (successes: number, trials: number, confidence: number): Interval => {
  if (!Number.isInteger(trials) || trials < 1) throw new RangeError('trials is a count of at least 1')
  if (!(Number.isInteger(successes) && successes >= 0 && successes <= trials))
    throw new RangeError('successes is a count between 0 and trials')
  const tail = (1 - confidence) / 2
  const failures = trials - successes
  return {
    low: successes === 0 ? 0 : solve((x, y) => regularizedBeta(x, y, successes, failures + 1), tail),
    high: failures === 0 ? 1 : solve((x, y) => regularizedBeta(x, y, successes + 1, failures), 1 - tail),
  }
}
