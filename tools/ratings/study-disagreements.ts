import { ProblemError } from '../../cache/problems/problem.ts'
import { currentRatings, type CurrentRating } from '../../targets/ratings/current-ratings.ts'
import { disagreements, toldRating, type Disagreement } from '../../targets/ratings/disagreements.ts'
import { stillRating } from '../../targets/ratings/progress.ts'
import { commonRubric } from '../../targets/ratings/rubric/item-rubric.ts'
import type { QueuedUnit } from '../../targets/ratings/queue.ts'
import type { Study } from '../../targets/ratings/study.ts'
import { unitKey } from '../../targets/ratings/unit.ts'
import { rangeOf } from './format-plan.ts'
import { itemPoints, juryOf, type RatableAnswer, type RatableAnswers } from './rated-runs.ts'
import type { RaterEvents } from './study-folder.ts'

export interface StudyDisagreements {
  readonly found: readonly Disagreement<RatableAnswer>[]
  /** Of the unit in the study; of a rating that no plan asked for 0. */
  readonly numberOf: (each: Disagreement) => number
  /** What all say of it together; at most one. */
  readonly consensusOf: (each: Disagreement) => Disagreement['ratings']
  /** Who has not handed in, and how much is left: empty, and scores may be shown. */
  readonly waiting: readonly string[]
  /** Ratings that are of no answer here, or by another rubric. */
  readonly orphans: readonly CurrentRating[]
}

export const studyDisagreements = (
  study: Study,
  logs: readonly RaterEvents[],
  runs: readonly RatableAnswers[],
  consensus: RaterEvents,
): StudyDisagreements => {
  const ranges = new Map(runs.map(({ rubric, run }) => [rubric, rangeOf(commonRubric(run.jury))]))
  const answers = runs.flatMap((run) => run.answers)
  const held = new Set(answers.map(unitKey))
  const units = study.units.filter((unit) => held.has(unitKey(unit)))
  const numbers = new Map(units.map((unit) => [unitKey(unit), unit.number]))
  const agreed = new Map(
    currentRatings(consensus.events).map((rating) => [unitKey(rating.subject), [toldRating(rating)]]),
  )
  const ratings = logs.flatMap(({ events }) => currentRatings(events))
  return {
    orphans: ratings.filter(({ subject }) => !held.has(unitKey(subject))),
    found: disagreements(
      ratings,
      answers,
      ({ rubric }) => ranges.get(rubric) ?? NaN,
      juryOf(runs.toReversed()),
      (answer) => itemPoints(answer, runs),
    ),
    numberOf: ({ answer }) => numbers.get(unitKey(answer)) ?? 0,
    consensusOf: ({ answer }) => agreed.get(unitKey(answer)) ?? [],
    waiting: stillRating({ ...study, units }, logs).map(({ rater, left }) => `${rater} (${left} left)`),
  }
}

/** What raters rate once more, together: in the list's order, by its numbers; what no plan asked for has none. */
export const consensusQueue = ({ found, numberOf }: StudyDisagreements): readonly QueuedUnit[] =>
  found
    .map((each) => ({ unit: each.answer, number: numberOf(each), order: numberOf(each), isPractice: false }))
    .filter(({ number }) => number > 0)

/** @throws ProblemError `ratings/still-rating` */
export const requireHandedIn = ({ waiting }: StudyDisagreements, field: string): void => {
  if (waiting.length === 0) return
  throw new ProblemError({
    code: 'ratings/still-rating',
    message: `not everybody has handed in: ${waiting.join(', ')}`,
    where: { field },
    remedy:
      'Wait for them: who has read the others’ scores rates no longer blindly. `medmake rate disagreements` has numbers alone until then.',
  })
}
