import { compositeOf, currentRatings, type CurrentRating } from '../../targets/ratings/current-ratings.ts'
import { ratedUnits, type RatedUnits } from '../../targets/ratings/rated-units.ts'
import type { Study } from '../../targets/ratings/study.ts'
import { gradedScore } from '../../targets/ratings/rubric/graded-score.ts'
import { unitKey } from '../../targets/ratings/unit.ts'
import type { Rating } from '../../targets/jury/study/ratings.ts'
import { runAnswers, type RatedTargets, type StoredAnswer } from '../jury/rated-runs.ts'
import type { RatableAnswer, RatableAnswers } from './rated-runs.ts'
import { ratedStudies, readAllEvents, readPlan, type RaterEvents } from './study-folder.ts'
import { remembered } from '../../cache/once.ts'

/** All that was planned and rated in a workspace. */
export interface KeptRatings {
  readonly studies: readonly Study[]
  readonly logs: readonly RaterEvents[]
  readonly rated: RatedUnits
}

/** @throws ProblemError `ratings/damaged-log`, or of a plan that was changed by hand */
export const keptRatings = (root: string, studies = ratedStudies(root)): KeptRatings => {
  const logs = readAllEvents(root, studies)
  return {
    studies: studies.flatMap((study) => readPlan(root, study) ?? []),
    logs,
    rated: ratedUnits(logs),
  }
}

/** An answer that a run holds, with the run. */
interface HeldAnswer {
  readonly run: RatableAnswers
  readonly answer: RatableAnswer
}

/** Ratings with the answers of runs that they are of. */
interface LinkedRatings {
  readonly found: readonly { readonly rating: CurrentRating; readonly held: readonly HeldAnswer[] }[]
  /** Of answers that no run holds: kept, and in no figure of the runs. */
  readonly orphans: readonly CurrentRating[]
}

/** An answer that several models gave is held once by each of them. */
export const linkRatings = (rated: KeptRatings, runs: readonly RatableAnswers[]): LinkedRatings => {
  const byUnit = new Map<string, HeldAnswer[]>()
  for (const run of runs)
    for (const answer of run.answers) {
      const own = remembered(byUnit, unitKey(answer), (): HeldAnswer[] => [])
      if (own.every((other) => other.run.benchmark === run.benchmark && other.run.model !== run.model))
        own.push({ run, answer })
    }
  const linked = [...rated.rated.values()]
    .flat()
    .map((rating) => ({ rating, held: byUnit.get(unitKey(rating.subject)) }))
  const unlinked = rated.logs
    .flatMap(({ events }) => currentRatings(events))
    .filter(({ subject, isRated }) => isRated && subject.answer === null)
  return {
    found: linked.flatMap(({ rating, held }) => (held === undefined ? [] : [{ rating, held }])),
    orphans: [...linked.flatMap(({ rating, held }) => (held === undefined ? [rating] : [])), ...unlinked],
  }
}

/** Linked ratings as agreement takes them, each with the answer of the run that it is of. */
export const ratingsOfRuns = ({ found }: LinkedRatings): RatedTargets['found'] => {
  const held = new Map<RatableAnswers, ReadonlyMap<string, StoredAnswer>>()
  const answersOf = (run: RatableAnswers): ReadonlyMap<string, StoredAnswer> =>
    remembered(held, run, () => new Map(runAnswers(run.run).map((each) => [each.instance, each])))
  // Of the items of an instance's own rubric, those that one of the answer's raters could judge.
  const judged = new Map<string, Set<string>>()
  for (const { rating } of found)
    if (compositeOf(rating) !== null)
      for (const name of Object.keys(rating.content.scores))
        remembered(judged, unitKey(rating.subject), () => new Set<string>()).add(name)
  return found.flatMap(({ rating, held: by }) =>
    by.flatMap(({ run, answer }, index) => {
      const own = answersOf(run).get(answer.instanceId)
      if (own === undefined || compositeOf(rating) === null) return []
      const { instanceId: instance } = answer
      const of = { instance, model: run.model, jury: [], metrics: new Map(), isShared: index > 0 }
      const jury =
        rating.content.composite === undefined
          ? own.jury
          : gradedScore(
              run.run.view.state(run.answers.indexOf(answer)),
              run.run.reading,
              judged.get(unitKey(rating.subject)) ?? new Set(),
              own.jury,
            )
      return [{ rating: { ...named(rating), ...of }, answer: { ...own, jury } }]
    }),
  )
}

/** How many ratings there are that give a score. */
export const ratedBy = ({ logs }: Pick<KeptRatings, 'logs'>): number =>
  logs.flatMap(({ events }) => currentRatings(events)).filter((rating) => compositeOf(rating) !== null).length

/** Ratings of a table as agreement takes them: with the jury's scores that stood beside them. */
export const ratingsOfTables = ({ logs }: Pick<KeptRatings, 'logs'>): readonly Rating[] =>
  logs
    .flatMap(({ events }) => currentRatings(events))
    .flatMap((rating) => {
      const { subject, content } = rating
      if (content.jury === undefined || compositeOf(rating) === null) return []
      return [
        {
          ...named(rating),
          instance: subject.instance,
          model: subject.model ?? subject.answer ?? '',
          jury: Object.keys(content.scores)
            .toSorted()
            .flatMap((name) => content.jury?.[name] ?? []),
          metrics: new Map<string, number>(),
        },
      ]
    })

const named = ({
  rater,
  subject: { benchmark },
  content: { scores, composite },
}: CurrentRating): Pick<Rating, 'rater' | 'benchmark' | 'scores' | 'criteria'> => {
  // Of points that are met or not the mean tells nothing: one that is met may be a fault.
  if (typeof composite === 'number') return { rater, benchmark, scores: [composite] }
  const criteria = Object.keys(scores).toSorted()
  return { rater, benchmark, criteria, scores: criteria.flatMap((name) => scores[name] ?? []) }
}
