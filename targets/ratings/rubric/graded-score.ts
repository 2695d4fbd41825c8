import { gradesOf, instanceRubric } from '../../jury/grading/grade-answer.ts'
import { storedJudgements, type JuryReading } from '../../jury/stored-judgements.ts'
import type { RequestState } from '../../record/request-state.ts'
import { meanOrNull } from '../../statistics/mean.ts'
import { itemName, itemScore } from './item-rubric.ts'

/**
 * What graders gave an answer for those items of its own rubric that clinicians judged: like with like. Null where no grader's
 * score counts, or none of the items has points to be had.
 * @param judged names of items
 * @param whole the run's own score, which is of all items, by the rule of its profile
 */
export const gradedScore = (
  state: Pick<RequestState, 'annotations' | 'instance'>,
  reading: JuryReading,
  judged: ReadonlySet<string>,
  whole: number | null,
): number | null => {
  const points = instanceRubric(state.instance).map((item) => item.points)
  if (points.every((_, at) => judged.has(itemName(at)))) return whole
  return meanOrNull(
    storedJudgements(state, reading).flatMap(({ parsed, reading: own }) => {
      const grades = own.kind === 'scores' ? gradesOf(parsed, 'health-bench') : []
      const met = grades.map(
        (grade, at) => [itemName(at), Number(grade.get('criteria_met') === true)] as const,
      )
      return itemScore(points, Object.fromEntries(met.filter(([name]) => judged.has(name)))) ?? []
    }),
  )
}
