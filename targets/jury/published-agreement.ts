import type { WeightedPair } from '../statistics/agreement/weighted-correlation.ts'
import { correlationInterval, spearman } from '../statistics/agreement/correlation.ts'
import type { Interval } from '../statistics/intervals/wilson.ts'
import { intraclassCorrelation } from '../statistics/agreement/intraclass-correlation.ts'
import { meanOf, squaresOf } from '../statistics/mean.ts'

/**
 * Which scores the ICC is formed of. `text`: z-scores within each rater, as the MedHELM paper says. `script`: the mean of
 * the raw and the z-scored composite, which is what its analysis computes, as two columns of one name stand in its table.
 */
export type CompositeRule = 'text' | 'script'

/** Figures with the intervals of the paper, of answers alone: the clinicians are taken as all there are. */
export interface PublishedAgreement {
  readonly icc: number
  /** By F; null where the raters agree fully, or no answer differs. */
  readonly iccInterval: Interval | null
  readonly spearman: number | null
  /** Fisher's. */
  readonly spearmanInterval: Interval | null
}

/** @param pairs the clinicians' mean and the jury's score of each answer; null where an ICC is not determined */
export const publishedAgreement = (
  pairs: readonly WeightedPair[],
  rule: CompositeRule,
  confidence: number,
): PublishedAgreement | null => {
  const [a, b] = [pairs.map((pair) => pair.a), pairs.map((pair) => pair.b)]
  if (pairs.length < 2 || squaresOf(a) === 0 || squaresOf(b) === 0) return null
  const [left, right] = [turned(a, rule), turned(b, rule)]
  const { value, interval } = intraclassCorrelation(
    left.map((score, index) => [score, right[index] ?? NaN]),
    'ICC3k',
    confidence,
  )
  if (!Number.isFinite(value)) return null
  const rho = spearman(a, b)
  return {
    icc: value,
    iccInterval: interval ?? null,
    spearman: Number.isNaN(rho) ? null : rho,
    spearmanInterval: correlationInterval(rho, a.length, confidence) ?? null,
  }
}

const turned = (values: readonly number[], rule: CompositeRule): readonly number[] => {
  const mean = meanOf(values)
  const sd = Math.sqrt(squaresOf(values) / (values.length - 1))
  return values.map((value) => {
    const z = (value - mean) / sd
    return rule === 'text' ? z : (value + z) / 2
  })
}
