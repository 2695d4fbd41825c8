import type { Interval } from '../intervals/wilson.ts'
import { normalQuantile } from '../distributions/normal.ts'
import { squaresOf } from '../mean.ts'
import { clusterRobust } from '../paired/cluster-robust.ts'
import { testOpen } from '../paired/contrast.ts'
import { canonicalOrder } from './canonical-order.ts'
import { clinicianMeans } from './clinician-means.ts'
import { onceEach, type RatedAnswers } from './rated-answers.ts'

/** The jury's scores less the clinicians' means, in points. */
interface JuryBias {
  readonly value: number
  /** Over what the answers come from, the clinicians taken as they are; null where nothing tells one. */
  readonly interval: Interval | null
  /** Where the differences of single answers lie (Bland & Altman 1986): mean ± 1.96 SD; null for a single answer. */
  readonly limits: Interval | null
}

/** Null without an answer that both scored. The same in whatever order answers come. */
export const juryBias = (rated: RatedAnswers, confidence: number): JuryBias | null => {
  const { sources, ...scored } = canonicalOrder(rated)
  const isRated = scored.jury.map(
    (score, at) => score !== null && scored.scores.some((row) => (row[at] ?? null) !== null),
  )
  const values = clinicianMeans(scored, onceEach(scored)).map(({ a, b }) => b - a)
  if (values.length === 0) return null
  const own = sources?.filter((_, at) => isRated[at])
  const found = clusterRobust([{ weight: 1, values, ...(own && { sources: own }) }])
  const tested = testOpen(found, confidence)
  const value = found.estimate
  const spread = normalQuantile(0.5 + confidence / 2) * Math.sqrt(squaresOf(values) / (values.length - 1))
  return {
    value,
    interval: 'reason' in tested ? null : { low: tested.low, high: tested.high },
    limits: values.length < 2 ? null : { low: value - spread, high: value + spread },
  }
}
