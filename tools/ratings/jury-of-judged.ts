import type { CurrentRating } from '../../targets/ratings/current-ratings.ts'
import { unitKey } from '../../targets/ratings/unit.ts'
import { meanOrNull } from '../../targets/statistics/mean.ts'
import { juryByCriterion } from '../jury/rated-runs.ts'
import type { RatableAnswers } from './rated-runs.ts'

/** The jury's score of what was judged: the run's that holds the answer, else a table's. */
export const juryOf = (
  runs: readonly Pick<RatableAnswers, 'run' | 'answers'>[],
): ((rating: Pick<CurrentRating, 'subject' | 'content'>) => number | null) => {
  const held = new Map(
    runs.flatMap(({ run, answers }) =>
      answers.map(({ jury, ...answer }, row) => [unitKey(answer), { run, row, jury }] as const),
    ),
  )
  return ({ subject, content: { scores, composite, jury: table = {} } }) => {
    const own = held.get(unitKey(subject))
    if (own === undefined || own.jury === null) return meanOrNull(Object.values(table))
    const { run, row, jury } = own
    const judged = Object.keys(scores)
    if (composite !== undefined || judged.length >= run.jury.criteria.size) return jury
    // Like with like: a criterion that could not be judged is in neither's.
    const by = juryByCriterion(run.view.state(row), run)
    return meanOrNull(judged.flatMap((name) => by.get(name) ?? []))
  }
}
