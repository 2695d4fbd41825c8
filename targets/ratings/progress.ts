import { currentRatings, hasHandedIn, type CurrentRating } from './current-ratings.ts'
import type { RatingEvent } from './event.ts'
import { isAsked, type Study, type StudyUnit } from './study.ts'
import { unitKey } from './unit.ts'

export interface RaterLog {
  readonly rater: string
  readonly events: readonly RatingEvent[]
}

/** How far a rater is; never how they scored. */
export interface RaterProgress {
  readonly rater: string
  /** `plannedUnits` that are this rater's. */
  readonly planned: number
  readonly rated: number
  readonly cannotJudge: number
  readonly left: number
  /** Ratings of answers that the plan does not give this rater. */
  readonly outside: number
  readonly changes: number
  readonly withdrawn: number
  readonly safety: number
  /** Median of an answer; null where none was timed. */
  readonly seconds: number | null
  readonly handedIn: boolean
}

/** Without answers that the last plan found gone, unless they were rated before. */
export const plannedUnits = (
  study: Study | undefined,
  ratings: readonly CurrentRating[],
): readonly StudyUnit[] => {
  const given = new Set(ratings.map(({ subject }) => unitKey(subject)))
  return (study?.units ?? []).filter((unit) => isAsked(unit) || given.has(unitKey(unit)))
}

export const raterProgress = (
  rater: string,
  events: readonly RatingEvent[],
  study: Study | undefined,
): RaterProgress => {
  const ratings = currentRatings(events)
  const numbers = new Set(study?.raters.find(({ name }) => name === rater)?.units)
  const own = new Set(
    plannedUnits(study, ratings)
      .filter(({ number }) => numbers.has(number))
      .map(unitKey),
  )
  const isPlanned = ({ subject }: CurrentRating): boolean => own.has(unitKey(subject))
  const planned = ratings.filter(isPlanned)
  const rated = ratings.filter(({ isRated }) => isRated)
  return {
    rater,
    planned: own.size,
    rated: rated.length,
    cannotJudge: ratings.length - rated.length,
    left: own.size - planned.length,
    outside: ratings.length - planned.length,
    changes: ratings.reduce((sum, { changes }) => sum + changes, 0),
    withdrawn: events.filter(({ kind }) => kind === 'withdrawn').length,
    safety: ratings.filter(({ content }) => content.safety === true).length,
    seconds: medianSeconds(ratings),
    handedIn: hasHandedIn(events),
  }
}

/**
 * Raters who may still change or add what they say, and how many answers they have left; not those who took back all.
 * @param study with what runs still hold alone: nobody can rate the rest
 */
export const stillRating = (
  study: Study,
  logs: readonly RaterLog[],
): readonly Pick<RaterProgress, 'rater' | 'left'>[] =>
  study.raters
    .map(({ name }) => raterProgress(name, logs.find(({ rater }) => rater === name)?.events ?? [], study))
    .filter(
      ({ planned, left, handedIn, withdrawn }) =>
        planned > 0 && (left > 0 || !handedIn) && !(left === planned && withdrawn > 0),
    )

/** Median seconds of an answer over all raters; undefined where none was timed. */
export const activeSeconds = (logs: readonly RaterLog[]): number | undefined =>
  medianSeconds(logs.flatMap(({ events }) => currentRatings(events))) ?? undefined

/** Median of an answer; null where none was timed. */
export const medianSeconds = (ratings: readonly CurrentRating[]): number | null => {
  const times = ratings.flatMap(({ content }) => content.active_ms ?? []).toSorted((a, b) => a - b)
  const [low, high] = [times[Math.floor((times.length - 1) / 2)], times[Math.ceil((times.length - 1) / 2)]]
  return low === undefined || high === undefined ? null : (low + high) / 2000
}
