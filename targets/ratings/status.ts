import { meanOf } from '../statistics/mean.ts'
import { pairIcc, raterPairs } from '../statistics/agreement/rater-pairs.ts'
import { slopeOver } from '../statistics/intervals/slope.ts'
import { compositeOf, currentRatings, subjectKey } from './current-ratings.ts'
import type { RatingEvent } from './event.ts'
import { inOrderGiven, raterProgress, type RaterLog, type RaterProgress } from './progress.ts'
import type { Study } from './study.ts'
import { unitKey } from './unit.ts'
import { CONFIDENCE } from '../statistics/scale.ts'

/** How a rater's level changes along their order, in points an item. */
export interface LevelDrift {
  readonly slope: number
  readonly low: number
  readonly high: number
  readonly ratings: number
}

interface BenchmarkStatus {
  readonly benchmark: string
  readonly planned: number
  readonly rated: number
  /** Answers that two or more clinicians scored. */
  readonly shared: number
  /** ICC(3,k) of z-scores, mean over the pairs of raters who have one; null where none has. */
  readonly icc: number | null
  readonly pairs: number
  /** Mean absolute difference of two clinicians' composites on one answer, in points; null where none is shared. */
  readonly apart: number | null
}

export interface StudyStatus {
  readonly study: string
  readonly hasPlan: boolean
  readonly raters: readonly (RaterProgress & { readonly drift: LevelDrift | null })[]
  readonly benchmarks: readonly BenchmarkStatus[]
}

/** How far a study is. It names no answer and no score of one. */
export const studyStatus = (id: string, study: Study | undefined, logs: readonly RaterLog[]): StudyStatus => {
  const names = [
    ...new Set([...(study?.raters ?? []).map(({ name }) => name), ...logs.map(({ rater }) => rater)]),
  ]
  const eventsOf = (name: string): readonly RatingEvent[] =>
    logs.find(({ rater }) => rater === name)?.events ?? []
  return {
    study: id,
    hasPlan: study !== undefined,
    raters: names.map((name) => ({
      ...raterProgress(name, eventsOf(name), study),
      drift: driftOf(eventsOf(name), study),
    })),
    benchmarks: benchmarkStatus(study, logs),
  }
}

/** Fewer tell no drift. */
const FEWEST = 10

/**
 * Slope of the composite on the order in which it was given, with its 95 % interval: within a stratum the order is by chance,
 * so it is drift and not difficulty. A plan that is extended may draw more of other strata, or of answers that came since.
 */
export const driftOf = (events: readonly RatingEvent[], study?: Pick<Study, 'units'>): LevelDrift | null => {
  const strata = new Map(study?.units.map((unit) => [unitKey(unit), JSON.stringify(unit.drawn[0] ?? [])]))
  const given = inOrderGiven(events).map(({ rating: { subject }, composite }, index) => ({
    x: index + 1,
    y: composite,
    group:
      strata.get(unitKey({ ...subject, answer: subject.answer ?? '', rubric: subject.rubric ?? '' })) ?? '',
  }))
  if (given.length < FEWEST) return null
  const found = slopeOver(given, CONFIDENCE)
  return found === undefined ? null : { ...found, ratings: given.length }
}

const benchmarkStatus = (study: Study | undefined, logs: readonly RaterLog[]): readonly BenchmarkStatus[] => {
  const ratings = logs.flatMap(({ events }) => currentRatings(events)).filter(({ isRated }) => isRated)
  const names = new Set([
    ...(study?.units ?? []).map(({ benchmark }) => benchmark),
    ...ratings.map(({ subject }) => subject.benchmark),
  ])
  return [...names].toSorted().map((benchmark) => {
    const own = ratings.filter(({ subject }) => subject.benchmark === benchmark)
    const answers = [...new Set(own.map(({ subject }) => subjectKey(subject)))]
    const raters = [...new Set(own.map(({ rater }) => rater))].toSorted()
    const place = new Map(answers.map((answer, index) => [answer, index]))
    const scores = raters.map(() => answers.map((): number | null => null))
    for (const rating of own) {
      const row = scores[raters.indexOf(rating.rater)]
      const at = place.get(subjectKey(rating.subject))
      if (row !== undefined && at !== undefined) row[at] = compositeOf(rating)
    }
    const pairs = raterPairs({ scores })
    const iccs = pairs.flatMap((pair) => pairIcc(pair) ?? [])
    const apart = raters.flatMap((_, first) =>
      raters.slice(first + 1).flatMap((_, step) =>
        answers.flatMap((_, answer) => {
          const [a, b] = [scores[first]?.[answer] ?? null, scores[first + 1 + step]?.[answer] ?? null]
          return a === null || b === null ? [] : [Math.abs(a - b)]
        }),
      ),
    )
    return {
      benchmark,
      planned: (study?.units ?? []).filter((unit) => unit.benchmark === benchmark).length,
      rated: answers.length,
      shared: answers.filter((_, index) => scores.filter((row) => row[index] !== null).length > 1).length,
      icc: iccs.length === 0 ? null : meanOf(iccs),
      pairs: iccs.length,
      apart: apart.length === 0 ? null : meanOf(apart),
    }
  })
}
