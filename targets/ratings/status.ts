import { meanOrNull } from '../statistics/mean.ts'
import { pairIcc, raterPairs } from '../statistics/agreement/rater-pairs.ts'
import { compositeOf, currentRatings, subjectKey, type CurrentRating } from './current-ratings.ts'
import type { RatingEvent } from './event.ts'
import { plannedUnits, raterProgress, type RaterLog, type RaterProgress } from './progress.ts'
import type { Study } from './study.ts'

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
  readonly raters: readonly RaterProgress[]
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
    raters: names.map((name) => raterProgress(name, eventsOf(name), study)),
    benchmarks: benchmarkStatus(study, logs),
  }
}

/** Composites of one benchmark, a row a rater and a column an answer. */
export const scoreMatrix = (
  ratings: readonly CurrentRating[],
): {
  readonly raters: readonly string[]
  readonly answers: readonly string[]
  readonly scores: readonly (readonly (number | null)[])[]
} => {
  const answers = [...new Set(ratings.map(({ subject }) => subjectKey(subject)))]
  const raters = [...new Set(ratings.map(({ rater }) => rater))].toSorted()
  const place = new Map(answers.map((answer, index) => [answer, index]))
  const scores = raters.map(() => answers.map((): number | null => null))
  for (const rating of ratings) {
    const row = scores[raters.indexOf(rating.rater)]
    const at = place.get(subjectKey(rating.subject))
    if (row !== undefined && at !== undefined) row[at] = compositeOf(rating)
  }
  return { raters, answers, scores }
}

/** Absolute differences of two raters on the answers that both scored. */
export const pointsApart = (
  one: readonly (number | null)[] = [],
  other: readonly (number | null)[] = [],
): readonly number[] =>
  one.flatMap((a, answer) => {
    const b = other[answer] ?? null
    return a === null || b === null ? [] : [Math.abs(a - b)]
  })

const benchmarkStatus = (study: Study | undefined, logs: readonly RaterLog[]): readonly BenchmarkStatus[] => {
  const all = logs.flatMap(({ events }) => currentRatings(events))
  const planned = plannedUnits(study, all)
  const ratings = all.filter(({ isRated }) => isRated)
  const names = new Set([
    ...(study?.units ?? []).map(({ benchmark }) => benchmark),
    ...ratings.map(({ subject }) => subject.benchmark),
  ])
  return [...names].toSorted().map((benchmark) => {
    const own = ratings.filter(({ subject }) => subject.benchmark === benchmark)
    const { answers, scores } = scoreMatrix(own)
    const pairs = raterPairs({ scores })
    const iccs = pairs.flatMap((pair) => pairIcc(pair) ?? [])
    const apart = scores.flatMap((one, first) =>
      scores.slice(first + 1).flatMap((other) => pointsApart(one, other)),
    )
    return {
      benchmark,
      planned: planned.filter((unit) => unit.benchmark === benchmark).length,
      rated: answers.length,
      shared: answers.filter((_, index) => scores.filter((row) => row[index] !== null).length > 1).length,
      icc: meanOrNull(iccs),
      pairs: iccs.length,
      apart: meanOrNull(apart),
    }
  })
}
