import { publishedAgreement } from '../jury/published-agreement.ts'
import { namedRatings } from '../jury/rated-answers.ts'
import type { Rating } from '../jury/study/ratings.ts'
import { clinicianMeans } from '../statistics/agreement/clinician-means.ts'
import { onceEach } from '../statistics/agreement/rated-answers.ts'
import { weightedAgreement } from '../statistics/agreement/weighted-agreement.ts'
import type { Interval } from '../statistics/intervals/wilson.ts'
import { CONFIDENCE } from '../statistics/scale.ts'

/** A row of the paper's Table 2. */
export interface AgreementRow {
  /** Benchmarks, by their names in the ratings. */
  readonly benchmarks: readonly string[]
  readonly answers: number
  /** The jury's ICC(3,k) by the paper's script, with F limits; null where it is not determined. */
  readonly jury: number | null
  readonly juryInterval: Interval | null
  /** By the paper's text. */
  readonly juryByText: number | null
  /** Mean ICC(3,k) over pairs of clinicians. */
  readonly clinicians: number | null
  /** Of automatic metrics, where the ratings hold them. */
  readonly metrics: readonly { readonly name: string; readonly icc: number | null }[]
}

/** Table 2 of the ratings at hand: each of the paper's benchmarks, then both together where both are there. */
export const agreementRows = (
  ratings: readonly Rating[],
  benchmarks: readonly string[],
): readonly AgreementRow[] => {
  const there = benchmarks.filter((name) => ratings.some(({ benchmark }) => benchmark === name))
  const sets = [...there.map((name) => [name]), ...(there.length > 1 ? [there] : [])]
  return sets.map((names) =>
    rowOf(
      names,
      ratings.filter(({ benchmark }) => names.includes(benchmark)),
    ),
  )
}

const rowOf = (benchmarks: readonly string[], ratings: readonly Rating[]): AgreementRow => {
  const { rated, answers } = namedRatings(ratings)
  const { clinicians, jury } = weightedAgreement(rated, onceEach(rated))
  const script = publishedAgreement(clinicianMeans(rated, onceEach(rated)), 'script', CONFIDENCE)
  const metrics = [...new Set(ratings.flatMap((rating) => [...rating.metrics.keys()]))].toSorted()
  return {
    benchmarks,
    answers: answers.length,
    jury: script?.icc ?? null,
    juryInterval: script?.iccInterval ?? null,
    juryByText: jury,
    clinicians,
    metrics: metrics.map((name) => {
      const { rated: own } = namedRatings(ratings, name)
      const found = publishedAgreement(clinicianMeans(own, onceEach(own)), 'script', CONFIDENCE)
      return { name, icc: found?.icc ?? null }
    }),
  }
}
