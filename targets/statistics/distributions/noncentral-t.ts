import { normalCdf } from './normal.ts'

/** Further out a step adds nothing to a sum of doubles. */
const NEGLIGIBLE = 1e-20

/** Standard errors beyond which the normal tail is nothing beside 1. */
const CERTAIN = 9

/** The w above which the density is negligible: e^{2w} = 1 + 2 (w − ln NEGLIGIBLE / df), from below. */
const farthest = (df: number): number => {
  let w = 0
  for (let round = 0; round < 60; round += 1) w = Math.log1p(2 * (w + 47 / df)) / 2
  return w
}

/**
 * P(T' > critical) of a noncentral t: a standard normal value moved by `shift`, over √(χ² / df); `critical` is positive. By the trapezoidal rule
 * over w, the logarithm of √(χ² / df), whose density is in proportion to exp(df (w − (e^{2w} − 1) / 2)): smooth and
 * falling off on both sides, so that equal steps converge exponentially. Good to 1e-13.
 */
export const noncentralUpper = (shift: number, critical: number, df: number): number => {
  // Steps as fine as a great shift asks for would never end, where the answer is 1 or 0 to all digits.
  if (shift - critical * Math.exp(farthest(df)) > CERTAIN) return 1
  if (shift < -5 * CERTAIN) return 0
  // The density is as narrow as √(2 df), the normal tail as |shift|.
  const step = 0.3 / Math.sqrt(30 + 2 * df + 1.5 * shift * shift)
  let [sum, total] = [0, 0]
  for (const direction of [1, -1])
    for (let at = direction === 1 ? 0 : 1; ; at += 1) {
      const w = direction * at * step
      const weight = Math.exp(df * (w - Math.expm1(2 * w) / 2))
      if (weight < NEGLIGIBLE) break
      total += weight
      sum += weight * normalCdf(shift - critical * Math.exp(w))
    }
  return sum / total
}
