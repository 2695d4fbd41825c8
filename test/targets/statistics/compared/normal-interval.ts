import { normalQuantile } from '../../../../targets/statistics/distributions/normal.ts'
import type { Interval } from '../../../../targets/statistics/intervals/wilson.ts'

/** By the normal distribution: too narrow where the standard error rests on few values. */
export const normalInterval = (
  { estimate, standardError }: { readonly estimate: number; readonly standardError: number },
  confidence: number,
): Interval => {
  const half = normalQuantile((1 + confidence) / 2) * standardError
  return { low: estimate - half, high: estimate + half }
}
