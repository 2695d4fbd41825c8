import type { Interval } from '../../statistics/intervals/wilson.ts'
import { tiedScore } from '../../statistics/mean.ts'

/** Where an answer lies in a plan's draw. */
export interface PlannedPlace {
  readonly stratum: number
  /** Answers that came later are drawn among by themselves, or not yet: 0, the first, unless given. */
  readonly wave?: number
  readonly isDrawn: boolean
}

export interface RaterScore {
  readonly rater: string
  readonly score: number
}

/** One judged answer of a model. */
export interface JudgedAnswer {
  readonly instance: string
  /** The jury's mean score. */
  readonly jury: number
  /** Mean of the clinicians' composites; null where nobody rated the answer. */
  readonly label: number | null
  /** What the label is the mean of: each clinician's composite. */
  readonly given?: readonly RaterScore[]
  /** What it shares with others, such as a patient. */
  readonly source?: string
  /** Of a planned sample. All answers of a model have one, or none. */
  readonly planned?: PlannedPlace
}

/** The jury's mean of some answers less the clinicians', in points. */
export interface JuryExcess {
  readonly value: number
  readonly interval: Interval
}

/** A mean or a difference in points of the rubric, as clinicians would score, and what it rests on. */
export interface CalibratedScore {
  readonly labels: number
  /** Answers that the jury alone scored. */
  readonly unlabelled: number
  /** The jury's own mean over all answers that this is said of; null without any. */
  readonly raw: number | null
  /** Null without a label. */
  readonly value: number | null
  /** 95 %, cut to the scale; null with fewer than two labels. */
  readonly interval: Interval | null
  /** How far the jury is believed: 0 to 1 of a random draw, a slope of a planned one; null without a value. */
  readonly lambda: number | null
  readonly reason?: string
  /** How the labelled answers came about: drawn by a plan within strata, or taken as a random draw; of a difference one of each. */
  readonly sample: 'planned' | 'random' | 'mixed'
  /** Of a planned sample: 95 % interval of the mean over these very answers, `interval` being of answers like these. */
  readonly onThese?: Interval | null
  /** Labels that the plan did not draw, which are left out. */
  readonly outside?: number
  /**
   * Answers that came after the plan's draw and of which too few are rated yet, and of a model those without a score of the
   * jury: all else is said of the others.
   */
  readonly uncovered?: number
}

/** Fewer labels of any model rank none by what clinicians would give. */
export const FEWEST_RANKED = 20

/** Places by what clinicians would give, 1 the best, equal scores sharing one; undefined where a model has too few labels. */
export const ranksByClinicians = (
  scores: readonly (Pick<CalibratedScore, 'value' | 'interval' | 'labels'> | null)[],
): readonly number[] | undefined => {
  const values = scores.flatMap((score) =>
    score === null || score.value === null || score.interval === null || score.labels < FEWEST_RANKED
      ? []
      : [score.value],
  )
  if (values.length < Math.max(2, scores.length)) return undefined
  return values.map((value) => 1 + values.filter((other) => tiedScore(other, [value]) > value).length)
}

/** An estimate cut to the scale, without an interval that would look sure. */
export const shownScore = (
  counts: Pick<CalibratedScore, 'labels' | 'unlabelled' | 'raw' | 'sample'>,
  {
    estimate: value,
    interval,
    lambda,
  }: { readonly estimate: number; readonly interval: Interval | null; readonly lambda: number },
  [least, most]: readonly [number, number],
): CalibratedScore => {
  const cut = (score: number): number => Math.min(most, Math.max(least, score))
  if (interval === null)
    return {
      ...counts,
      value: cut(value),
      interval,
      lambda,
      reason: counts.labels < 2 ? 'one label tells no spread' : 'all labels are of one source',
    }
  // Labels that all differ from the jury alike have no spread, which is no proof that the next one has none.
  if (interval.high - interval.low <= 1e-9 * (most - least))
    return { ...counts, value: cut(value), interval: null, lambda, reason: 'the labels have no spread' }
  const within = cutToScale(interval, [least, most])
  return {
    ...counts,
    value: cut(value),
    interval: within,
    lambda,
    ...(within === null && {
      reason: 'the estimate lies beyond the scale: those rated are unlike the others',
    }),
  }
}

/** Null for an interval that goes beyond the scale as a whole: cut, it would be an end of it, and look sure. */
export const cutToScale = (
  { low, high }: Interval,
  [least, most]: readonly [number, number],
): Interval | null => {
  const within = { low: Math.max(least, low), high: Math.min(most, high) }
  const isCut = within.low !== low || within.high !== high
  return isCut && within.low >= within.high ? null : within
}
