import { normalCdf, normalQuantile } from './distributions/normal.ts'

export interface Aim {
  /** Two-sided chance of a false alarm. */
  readonly alpha: number
  /** Chance to notice a difference that is there. */
  readonly power: number
}

/** The usual aim. */
export const USUAL_AIM: Aim = { alpha: 0.05, power: 0.8 }

/** Where the variance of one paired difference comes from (Miller 2024, arXiv 2411.00640, section 5). */
export interface DifferenceVariance {
  /** Of the instances' true differences. */
  readonly between: number
  /** Mean variance of the answers to one instance, and answers drawn of each: model A, model B. */
  readonly withinA: number
  readonly answersA: number
  readonly withinB: number
  readonly answersB: number
}

/** Variance of the mean answers' difference of one instance. */
export const differenceVariance = (parts: DifferenceVariance): number =>
  parts.between + parts.withinA / parts.answersA + parts.withinB / parts.answersB

const reach = ({ alpha, power }: Aim): number => normalQuantile(1 - alpha / 2) + normalQuantile(power)

/**
 * The smallest true difference that a comparison with this standard error notices as often as aimed at.
 * In the units of the standard error.
 */
export const detectableEffect = (standardError: number, aim: Aim = USUAL_AIM): number =>
  reach(aim) * standardError

/** Instances that it takes to notice the difference `effect`: round up. @throws RangeError for no effect */
export const requiredInstances = (effect: number, variance: number, aim: Aim = USUAL_AIM): number => {
  if (effect === 0) throw new RangeError('no number of instances shows that there is no difference')
  return (reach(aim) ** 2 * variance) / effect ** 2
}

/** Chance that a comparison with this standard error notices the true difference `effect`; the wrong side left out. */
export const powerOf = (effect: number, standardError: number, alpha = USUAL_AIM.alpha): number =>
  normalCdf(Math.abs(effect) / standardError - normalQuantile(1 - alpha / 2))
