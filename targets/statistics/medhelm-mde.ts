import { squaresOf } from './mean.ts'

/**
 * The minimum detectable effect as MedHELM publishes it (paper, appendix E; public analysis script): rounded quantiles
 * and the standard deviation that divides by n. In the units of the differences; the paper first divides jury scores
 * by 5. Undefined without a difference.
 */
export const medhelmMde = (differences: readonly number[]): number | undefined => {
  const n = differences.length
  if (n === 0) return undefined
  return ((0.84 + 1.96) * Math.sqrt(squaresOf(differences) / n)) / Math.sqrt(n)
}
