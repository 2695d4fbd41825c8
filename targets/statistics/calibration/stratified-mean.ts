import type { Interval } from '../intervals/interval.ts'
import { studentT } from '../distributions/student-t.ts'

/** A stratum of predictions, of which some were drawn by chance and labelled. */
export interface LabelledStratum {
  readonly labels: readonly number[]
  /** Of the labelled ones, in their order. */
  readonly predictions: readonly number[]
  /** Of all, the labelled ones among them. */
  readonly all: readonly number[]
  /** Of the labelled ones: what each shares with others, such as a patient; its own name where it shares nothing. */
  readonly sources?: readonly string[]
}

/** A mean of labels, in their units, estimated from a stratified sample and predictions of all. */
export interface StratifiedMean {
  readonly estimate: number
  /** Slope of labels on predictions within strata: how far the predictions are believed. */
  readonly lambda: number
  readonly df: number
  readonly standardError: number
  /** The same, these being a draw of answers like these. */
  readonly likeTheseError: number
  /** Of the mean over all of these; null where nothing tells a spread. */
  readonly interval: Interval | null
  /** Of the mean over answers like these, of which these are a draw; null where nothing tells a spread. */
  readonly likeThese: Interval | null
}

const FOLDS = 5

/**
 * The stratified difference estimator: sum over strata of W_h times the mean of y − λ(f − F_h), F_h the predictions' mean
 * over all of the stratum. λ is the pooled slope within strata, that of the other folds for each label, so that no label
 * has a say in its own correction. Centred within the stratum: else the folds' noise in λ would be multiplied by the
 * predictions' level. Interval by Student's t with n − H − 1 degrees of freedom; with finite population correction for
 * the mean over these.
 *
 * @param wanted λ for all, in place of the slope; 0 leaves the predictions out
 * @throws RangeError for a stratum without a label, or labels and predictions that are not as many
 */
export const stratifiedMean = (
  strata: readonly LabelledStratum[],
  confidence: number,
  wanted?: number,
): StratifiedMean => {
  const size = strata.reduce((sum, { all }) => sum + all.length, 0)
  const count = strata.reduce((sum, { labels }) => sum + labels.length, 0)
  const parts = strata.map(({ labels, predictions, all }) => {
    if (labels.length === 0 || labels.length !== predictions.length || all.length < labels.length)
      throw new RangeError('every stratum has a label, and every label its prediction')
    const level = meanOf(all)
    return { labels, predictions, all, level, share: all.length / size }
  })
  const own = numbered(strata)
  const slopes = Array.from(
    { length: FOLDS },
    (_, fold) => wanted ?? slopeOf(own, (at) => at % FOLDS !== fold),
  )
  const lambda = wanted ?? slopeOf(own, () => true)
  let place = 0
  // Where all are labelled there is nothing to put right, and the folds' slopes would not cancel out.
  const isWhole = ({ labels, all }: LabelledStratum): boolean => labels.length === all.length
  const rests = parts.map(({ level, ...part }) =>
    part.labels.map((label, index) => {
      const slope = isWhole(part) ? 0 : (slopes[place % FOLDS] ?? 0)
      place += 1
      return label - slope * ((part.predictions[index] ?? NaN) - level)
    }),
  )
  const estimate = parts.reduce((sum, { share }, index) => sum + share * meanOf(rests[index] ?? []), 0)
  const sources = strata.flatMap(({ sources: own }) => own ?? [])
  const shares = new Set(sources).size < sources.length
  const df = (shares ? new Set(sources).size : count) - strata.length - 1
  const variance = shares ? sharedVariance(parts, rests, sources) : ownVariance(parts, rests)
  // Of answers like these: what labels of all would still leave open is added.
  const open = parts.reduce((sum, part, index) => {
    const { share, level, all } = part
    const rest = rests[index] ?? []
    const between = (meanOf(rest) - estimate) ** 2
    const explained = isWhole(part) ? 0 : lambda ** 2 * meanOf(all.map((each) => (each - level) ** 2))
    const within = rest.length === 1 && all.length === 1 ? 0 : varianceOf(rest)
    return sum + share * (within + between + explained)
  }, 0)
  return {
    estimate,
    lambda,
    df,
    standardError: Math.sqrt(variance),
    likeTheseError: Math.sqrt(variance + open / size),
    interval: count === size ? { low: estimate, high: estimate } : around(estimate, variance, df, confidence),
    likeThese: around(estimate, variance + open / size, df, confidence),
  }
}

interface Part {
  readonly share: number
  readonly all: readonly number[]
}

/** Each answer drawn by itself, without replacement. */
const ownVariance = (parts: readonly Part[], rests: readonly (readonly number[])[]): number =>
  parts.reduce((sum, { share, all }, index) => {
    const rest = rests[index] ?? []
    const n = rest.length
    return sum + (n === all.length ? 0 : (share ** 2 * (1 - n / all.length) * varianceOf(rest)) / n)
  }, 0)

/** What is left of one source's answers is added up before it is squared. */
const sharedVariance = (
  parts: readonly Part[],
  rests: readonly (readonly number[])[],
  sources: readonly string[],
): number => {
  const bySource = new Map<string, number>()
  let place = 0
  for (const [index, { share }] of parts.entries()) {
    const rest = rests[index] ?? []
    const [n, mean] = [rest.length, meanOf(rest)]
    for (const each of rest) {
      const own = (share * (each - mean)) / Math.sqrt(n * (n - 1))
      const source = sources[place] ?? ''
      bySource.set(source, (bySource.get(source) ?? 0) + own)
      place += 1
    }
  }
  return [...bySource.values()].reduce((sum, each) => sum + each ** 2, 0)
}

/** Null without degrees of freedom, or where a stratum's only label tells no spread. */
const around = (estimate: number, variance: number, df: number, confidence: number): Interval | null => {
  if (df < 1 || Number.isNaN(variance)) return null
  const half = studentT(confidence, df) * Math.sqrt(variance)
  return { low: estimate - half, high: estimate + half }
}

interface Numbered {
  readonly stratum: number
  readonly label: number
  readonly prediction: number
}

const numbered = (strata: readonly LabelledStratum[]): readonly Numbered[] =>
  strata.flatMap(({ labels, predictions }, stratum) =>
    labels.map((label, index) => ({ stratum, label, prediction: predictions[index] ?? NaN })),
  )

/** Pooled slope within strata over the labels that are asked for; 0 where predictions do not differ there. */
const slopeOf = (all: readonly Numbered[], takes: (place: number) => boolean): number => {
  const byStratum = new Map<number, Numbered[]>()
  for (const [place, each] of all.entries()) {
    if (!takes(place)) continue
    const own = byStratum.get(each.stratum)
    if (own === undefined) byStratum.set(each.stratum, [each])
    else own.push(each)
  }
  let [together, spread, level] = [0, 0, 0]
  for (const own of byStratum.values()) {
    const label = meanOf(own.map((each) => each.label))
    const prediction = meanOf(own.map((each) => each.prediction))
    for (const each of own) {
      together += (each.label - label) * (each.prediction - prediction)
      spread += (each.prediction - prediction) ** 2
      level += each.prediction ** 2
    }
  }
  return spread > 1e-24 * (1 + level) ? together / spread : 0
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** With n − 1; NaN for one value. */
const varianceOf = (values: readonly number[]): number => {
  const mean = meanOf(values)
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
}
