import { exactOf, ratio } from './exact.ts'

/**
 * Python's `statistics.mean` of floats: the exact sum divided once, then rounded once.
 * An infinity or NaN among the values makes the mean what their plain sum is.
 * @throws RangeError for no values, as Python raises StatisticsError.
 */
export const statisticsMean = (values: readonly number[]): number => {
  if (values.length === 0) throw new RangeError('the mean needs at least one value')
  const special = values.filter((value) => !Number.isFinite(value))
  if (special.length > 0) return special.reduce((sum, value) => sum + value, 0)
  const terms = values.map(exactOf)
  const lowest = terms.reduce((least, { exponent }) => Math.min(least, exponent), 1024)
  const sum = terms.reduce((total, term) => total + (term.mantissa << BigInt(term.exponent - lowest)), 0n)
  const numerator = sum << BigInt(Math.max(lowest, 0))
  return ratio(numerator, BigInt(values.length) << BigInt(Math.max(-lowest, 0)))
}
