import { CONFIDENCE } from '../../statistics/scale.ts'
import type { Interval } from '../../statistics/intervals/wilson.ts'
import {
  centredRests,
  labelsSaved,
  moreLabels,
  type MoreLabels,
} from '../../statistics/calibration/more-labels.ts'
import { withRaters } from '../../statistics/calibration/rater-variance.ts'
import { around, stratifiedMean } from '../../statistics/calibration/stratified-mean.ts'
import { cutToScale, type CalibratedScore, type JuryExcess } from './calibrated-score.ts'
import type { PlannedStratum } from './planned-score.ts'

/** What a planned sample tells beside the calibrated score. */
export interface PlannedFacts {
  /** What clinicians tell alone, within the same strata: λ = 0. */
  readonly people: Pick<CalibratedScore, 'value' | 'interval' | 'onThese'>
  /** Labels that the jury's scores stand for; 0 where they are of no use. */
  readonly saved: number
  /** Of answers like these by raters like these, from five raters on; `interval` is by these raters. */
  readonly likeRaters?: Interval | null
  /** What the jury gives more than clinicians, in points: of these very answers. */
  readonly bias: JuryExcess
  /** What so many more labels would bring, where some are left to give. */
  readonly more?: MoreLabels & { readonly labels: number; readonly halfWidth: number }
}

/** Undefined where the score has no interval. */
export const plannedFacts = (
  strata: readonly PlannedStratum[],
  { value, raw, interval, onThese }: CalibratedScore,
  { scale, more }: { readonly scale: readonly [number, number]; readonly more: number },
): PlannedFacts | undefined => {
  if (value === null || raw === null || interval === null || onThese == null) return undefined
  const cut = (own: Interval | null): Interval | null => own && cutToScale(own, scale)
  const alone = stratifiedMean(strata, CONFIDENCE, 0)
  const { estimate, lambda, standardError, likeTheseError, df } = stratifiedMean(strata, CONFIDENCE)
  const next = moreLabels(strata, more, lambda)
  const others = withRaters({ variance: likeTheseError ** 2, df }, raterResiduals(strata, lambda))
  return {
    people: { value: alone.estimate, interval: cut(alone.likeThese), onThese: cut(alone.interval) },
    saved: labelsSaved(strata, { own: standardError, alone: alone.standardError }),
    bias: { value: raw - value, interval: { low: raw - onThese.high, high: raw - onThese.low } },
    ...(others && { likeRaters: cut(around(estimate, others.variance, others.df, CONFIDENCE)) }),
    ...(next && {
      more: {
        ...next,
        labels: next.byStratum.reduce((sum, own) => sum + own, 0),
        halfWidth: next.share * halfWidthOf(onThese, value),
      },
    }),
  }
}

/** Of an interval about a value; where the scale's end cuts it, its other side tells it whole. */
export const halfWidthOf = ({ low, high }: Interval, value: number): number =>
  Math.max(high - value, value - low)

/** Of each rating, shared by those who rated the answer. */
const raterResiduals = (
  strata: readonly PlannedStratum[],
  lambda: number,
): Parameters<typeof withRaters>[1] =>
  strata.flatMap((stratum) => {
    const { all, labels, weights, given } = stratum
    const rests = centredRests(stratum, lambda)
    const whole = weights.reduce((sum, weight) => sum + weight, 0)
    return given.flatMap((ratings, at) =>
      ratings.map(({ rater, score }) => ({
        rater,
        residual: (rests[at] ?? NaN) + score - (labels[at] ?? NaN),
        weight: (all.length * (weights[at] ?? NaN)) / whole / ratings.length,
      })),
    )
  })
