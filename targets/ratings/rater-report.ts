import { meanOrNull, squaresOf } from '../statistics/mean.ts'
import { pairIcc, raterPairs } from '../statistics/agreement/rater-pairs.ts'
import { slopeOver } from '../statistics/intervals/slope.ts'
import type { Interval } from '../statistics/intervals/wilson.ts'
import { CONFIDENCE } from '../statistics/scale.ts'
import { compositeOf, currentRatings, practiceRatings, type CurrentRating } from './current-ratings.ts'
import { medianSeconds, type RaterLog } from './progress.ts'
import { pointsApart, scoreMatrix } from './status.ts'
import type { Study } from './study.ts'
import { unitKey } from './unit.ts'

/** How a rater's distance from the jury changes along their order, in points an item. */
interface LevelDrift extends Interval {
  readonly slope: number
  readonly ratings: number
}

/** How a rater rates the answers of a benchmark, whose scores have one scale. Null is what too few ratings tell. */
export interface RaterReport {
  readonly rater: string
  readonly benchmark: string
  readonly rated: number
  /** Share that could not be judged. */
  readonly cannotJudge: number
  /** Mean and standard deviation of the composites. */
  readonly level: number | null
  readonly spread: number | null
  /** Mean of what the composites are above the jury's scores. */
  readonly aboveJury: number | null
  /** Mean ICC(3,k) of z-scores with each of the others, over so many of them. */
  readonly icc: number | null
  readonly pairs: number
  /** Mean absolute difference from another's composite of the same answer. */
  readonly apart: number | null
  readonly seconds: number | null
  /** Share of which the reference was opened. */
  readonly opened: number | null
  readonly drift: LevelDrift | null
  readonly practice: Pick<RaterReport, 'rated' | 'aboveJury'>
}

interface ReportParts {
  /** That drew what was rated. */
  readonly plans: readonly Pick<Study, 'id' | 'units'>[]
  /** The jury's score of what was rated; null where nobody knows it. */
  readonly juryOf: (rating: CurrentRating) => number | null
}

/** Each rater's figures of each benchmark that they were given answers of: by the benchmark's name, then in the order of the logs. */
export const raterReports = (logs: readonly RaterLog[], parts: ReportParts): readonly RaterReport[] => {
  const all = logs.flatMap(({ events }) => currentRatings(events))
  const benchmarks = [...new Set(all.map(({ subject }) => subject.benchmark))].toSorted()
  return benchmarks.flatMap((benchmark) => {
    const isOwn = ({ subject }: CurrentRating): boolean => subject.benchmark === benchmark
    const { raters, scores } = scoreMatrix(all.filter((rating) => isOwn(rating) && rating.isRated))
    const pairs = raterPairs({ scores })
    return logs.flatMap(({ rater, events }): readonly RaterReport[] => {
      const given = currentRatings(events).filter(isOwn)
      if (given.length === 0) return []
      const at = raters.indexOf(rater)
      const iccs = pairs.flatMap((pair) => (pair.raters.includes(at) ? (pairIcc(pair) ?? []) : []))
      const others = scores.filter((_, index) => index !== at)
      return [
        {
          rater,
          benchmark,
          ...figuresOf(given, parts),
          icc: meanOrNull(iccs),
          pairs: iccs.length,
          apart: meanOrNull(others.flatMap((other) => pointsApart(scores[at], other))),
          practice: practiceOf(practiceRatings(events).filter(isOwn), parts),
        },
      ]
    })
  })
}

const figuresOf = (
  given: readonly CurrentRating[],
  { plans, juryOf }: ReportParts,
): Omit<RaterReport, 'rater' | 'benchmark' | 'icc' | 'pairs' | 'apart' | 'practice'> => {
  const scores = given.flatMap((rating) => compositeOf(rating) ?? [])
  const beyond = beyondJury(given, juryOf)
  const opened = given.flatMap((rating) => hasOpened(rating) ?? [])
  const rated = given.filter(({ isRated }) => isRated).length
  return {
    rated,
    cannotJudge: (given.length - rated) / given.length,
    level: meanOrNull(scores),
    spread: scores.length < 2 ? null : Math.sqrt(squaresOf(scores) / (scores.length - 1)),
    aboveJury: meanOrNull(beyond.map(({ points }) => points)),
    seconds: medianSeconds(given),
    opened: meanOrNull(opened.map(Number)),
    drift: driftOf(beyond, plans),
  }
}

/** Whether the rater opened the reference; undefined for what came in by a table that does not tell. */
export const hasOpened = ({ content }: CurrentRating): boolean | undefined =>
  content.opened?.includes('reference')

const practiceOf = (given: readonly CurrentRating[], { juryOf }: ReportParts): RaterReport['practice'] => ({
  rated: given.length,
  aboveJury: meanOrNull(beyondJury(given, juryOf).map(({ points }) => points)),
})

/** A rating with what its composite is above the jury's score. */
interface BeyondJury {
  readonly rating: Pick<CurrentRating, 'order' | 'subject'>
  readonly points: number
}

const beyondJury = (given: readonly CurrentRating[], juryOf: ReportParts['juryOf']): readonly BeyondJury[] =>
  given.flatMap((rating) => {
    const [score, jury] = [compositeOf(rating), juryOf(rating)]
    return score === null || jury === null ? [] : [{ rating, points: score - jury }]
  })

/** Fewer tell no drift. */
const FEWEST = 10

/**
 * Slope of what composites are above the jury on their place in the rater's order, with its 95 % interval: within a stratum the
 * order is by chance, so it is drift and not difficulty. A plan that is extended may draw more of other strata, or of answers
 * that came since.
 */
export const driftOf = (
  given: readonly BeyondJury[],
  plans: ReportParts['plans'] = [],
): LevelDrift | null => {
  const strata = new Map(
    plans.flatMap(({ id, units }) => units.map((unit) => [unitKey(unit), `${id} ${unit.drawn[0]?.join()}`])),
  )
  const points = given.flatMap(({ rating: { order: x, subject }, points: y }) =>
    x === undefined ? [] : [{ x, y, group: strata.get(unitKey(subject)) ?? '' }],
  )
  if (points.length < FEWEST) return null
  const found = slopeOver(points, CONFIDENCE)
  return found === undefined ? null : { ...found, ratings: points.length }
}
