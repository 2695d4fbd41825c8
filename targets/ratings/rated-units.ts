import { compositeOf, currentRatings, type CurrentRating } from './current-ratings.ts'
import type { RatingEvent } from './event.ts'
import { unitKey, type RatingUnit } from './unit.ts'
import type { RaterScore } from '../jury/study/calibrated-score.ts'
import { meanOrNull } from '../statistics/mean.ts'

/** What clinicians say now, by the answer that they rated. */
export type RatedUnits = ReadonlyMap<string, readonly CurrentRating[]>

/**
 * Ratings of answers that have a digest; a rater who was asked of an answer in several studies counts once, with what was
 * said last: nothing, where that was that it can't be judged.
 * @param logs events of one rater in one study each
 */
export const ratedUnits = (logs: readonly { readonly events: readonly RatingEvent[] }[]): RatedUnits => {
  const units = new Map<string, Map<string, CurrentRating>>()
  for (const { events } of logs)
    for (const rating of currentRatings(events)) {
      const unit = unitOf(rating)
      if (unit === undefined) continue
      const own = units.get(unitKey(unit)) ?? new Map<string, CurrentRating>()
      const before = own.get(rating.rater)
      if (before === undefined || isLater(rating, before)) own.set(rating.rater, rating)
      units.set(unitKey(unit), own)
    }
  return new Map(
    [...units].flatMap(([key, own]) => {
      const rated = [...own.values()].filter(({ isRated }) => isRated)
      return rated.length === 0 ? [] : [[key, rated] as const]
    }),
  )
}

const unitOf = ({ subject: { instance, answer, rubric } }: CurrentRating): RatingUnit | undefined =>
  answer === null || rubric === null ? undefined : { instance, answer, rubric }

const isLater = (a: CurrentRating, b: CurrentRating): boolean =>
  a.at === b.at ? a.event > b.event : a.at > b.at

/** Each clinician's composite of an answer. Sorted, so that no digit of their mean hangs on the order of files. */
export const scoresOf = (unit: RatingUnit, rated: RatedUnits): readonly RaterScore[] =>
  (rated.get(unitKey(unit)) ?? [])
    .flatMap((rating) => {
      const score = compositeOf(rating)
      return score === null ? [] : [{ rater: rating.rater, score }]
    })
    .toSorted((a, b) => a.score - b.score || (a.rater < b.rater ? -1 : 1))

/** Their mean; null where nobody scored it. */
export const labelOf = (unit: RatingUnit, rated: RatedUnits): number | null =>
  meanOrNull(scoresOf(unit, rated).map(({ score }) => score))
