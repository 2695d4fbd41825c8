import type { Words } from './threefry.ts'
import { RandomStream } from './random-stream.ts'

export interface SignFlip {
  /** Two-sided. */
  readonly p: number
  /** True when every pattern of signs was counted, not a sample of them. */
  readonly exact: boolean
}

/** Up to so many sums that are not 0, all 2^n patterns are counted. */
const COUNTABLE = 14
const DRAWS = 9999

/**
 * The paired permutation test: were A and B alike, each sum could as well have the other sign.
 * Sampled patterns count the observed one in, so p is never 0 (Phipson & Smyth 2010).
 *
 * @param sums B − A, summed up by cluster: what is exchanged is a whole cluster
 */
export const signFlip = (sums: readonly number[], key: Words): SignFlip => {
  const moved = sums.filter((sum) => sum !== 0).map(Math.abs)
  const observed = Math.abs(sums.reduce((total, sum) => total + sum, 0))
  const scale = moved.reduce((total, sum) => total + sum, 0)
  // Sums that are equal on paper may differ in the last digits.
  const reached = observed - 1e-12 * scale
  if (moved.length <= COUNTABLE) {
    const patterns = 2 ** moved.length
    let extreme = 0
    for (let pattern = 0; pattern < patterns; pattern += 1) {
      const total = moved.reduce((sum, each, index) => sum + ((pattern >> index) & 1 ? -each : each), 0)
      if (Math.abs(total) >= reached) extreme += 1
    }
    return { p: extreme / patterns, exact: true }
  }
  let extreme = 0
  for (let draw = 0; draw < DRAWS; draw += 1)
    if (Math.abs(drawnTotal(moved, new RandomStream(key, draw))) >= reached) extreme += 1
  return { p: (extreme + 1) / (DRAWS + 1), exact: false }
}

/** A word gives 32 signs. */
const drawnTotal = (moved: readonly number[], stream: RandomStream): number => {
  let total = 0
  let word = 0
  for (let index = 0; index < moved.length; index += 1) {
    if ((index & 31) === 0) word = stream.word()
    const each = moved[index] ?? 0
    total += (word >>> (index & 31)) & 1 ? -each : each
  }
  return total
}
