import { exactSum } from '../exact-sum.ts'
import type { Interval } from '../intervals/wilson.ts'
import { around, stratifiedMean, type LabelledStratum, type StratifiedMean } from './stratified-mean.ts'

/** A difference of two means of labels, in their units. */
interface StratifiedDifference {
  readonly estimate: number
  /** Of answers like these; null where nothing tells a spread. */
  readonly interval: Interval | null
}

/**
 * B − A from two planned samples. Answers to one question, or of one patient, vary together, whether both were labelled or
 * the predictions alone say so: what a source adds to B less what it adds to A is squared, not each by itself.
 */
export const stratifiedDifference = (
  a: readonly LabelledStratum[],
  b: readonly LabelledStratum[],
  confidence: number,
): StratifiedDifference => {
  const [one, two] = [stratifiedMean(a, confidence), stratifiedMean(b, confidence)]
  const estimate = two.estimate - one.estimate
  const sources = new Set([...one.pulls.keys(), ...two.pulls.keys()])
  const pullOf = ({ pulls }: StratifiedMean, source: string): number => {
    const { predicted, residual } = pulls.get(source) ?? { predicted: 0, residual: 0 }
    // What predictions leave open of one model may be in what they say of the other.
    return predicted + residual
  }
  const variance = exactSum([
    ...[...sources].map((source) => (pullOf(two, source) - pullOf(one, source)) ** 2),
    one.unseen,
    two.unseen,
  ])
  const isKnown = one.df >= 1 && two.df >= 1
  const df = degreesOf(one, two, a.length + b.length)
  return { estimate, interval: isKnown ? around(estimate, variance, df, confidence) : null }
}

/** Welch's; fewer where samples share sources, as these are counted once. */
const degreesOf = (one: StratifiedMean, two: StratifiedMean, strata: number): number => {
  const [v, w] = [one.likeTheseError ** 2, two.likeTheseError ** 2]
  const welch = v + w > 0 ? (v + w) ** 2 / (v ** 2 / one.df + w ** 2 / two.df) : one.df + two.df
  const sources = new Set([...one.labelled, ...two.labelled]).size
  return Math.min(welch, Math.max(one.df, two.df, sources - strata - 2))
}
