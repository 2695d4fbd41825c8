import { meanOf } from '../../statistics/mean.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { ItemGrading, Jury } from '../../../benchmarks/scenario/benchmark.ts'
import type { RubricItem } from '../../../benchmarks/scenario/rubric.ts'
import { gradesOf } from '../../jury/grading/grade-answer.ts'
import { foldedScore, pointsScore, type Grade } from '../../jury/grading/read-grade.ts'

/** What graders' verdicts on one answer are worth by the rule of each style, the mean of the judges; undefined where a rule gives none. */
export type VerdictScores = Readonly<Record<ItemGrading['style'], number | undefined>>

/**
 * Scores the verdicts that an annotation holds by either rule, so that rules can be told from what was asked. Undefined
 * where the annotation does not say of every judge and every item whether it is met: medhelm-0.8 leaves no gap where a
 * grade could not be read.
 */
export const verdictScores = (
  items: readonly RubricItem[],
  annotation: PyValue | undefined,
  { grading, judges }: Pick<Jury, 'grading' | 'judges'>,
): VerdictScores | undefined => {
  if (grading === undefined || !(annotation instanceof Map) || judges.length === 0) return undefined
  const graded = judges.map(({ name }, judge) =>
    ownGrades(gradesOf((annotation as ReadonlyMap<string, PyValue>).get(name), grading.style), {
      items: items.length,
      judges: judges.length,
      judge,
      grading,
    }),
  )
  if (graded.some((own) => own.length !== items.length)) return undefined
  return {
    'health-bench': meanOver(graded, (grades) => authorsScore(items, grades)),
    'medhelm-0.8': meanOver(graded, (grades) => foldedScore(items, grades)),
  }
}

/** Undefined where a verdict is neither yes nor no: the authors would have asked again. */
const authorsScore = (items: readonly RubricItem[], grades: readonly Grade[]): number | undefined => {
  const verdicts = grades.map((grade) => grade.get('criteria_met'))
  return verdicts.every((met) => typeof met === 'boolean')
    ? pointsScore(items.map(({ points }, index) => ({ points, met: verdicts[index] === true })))
    : undefined
}

interface JudgePlace {
  readonly items: number
  readonly judges: number
  readonly judge: number
  readonly grading: ItemGrading
}

/** A judge's own grades of the items: with a comparison asked for, all judges' grades are one list (HELM.md T27). */
const ownGrades = (
  grades: readonly Grade[],
  { items, judges, judge, grading }: JudgePlace,
): readonly Grade[] => {
  if (grading.comparison === undefined) return grades
  const each = grades.length / judges
  return each === items || each === items + 1 ? grades.slice(judge * each, judge * each + items) : []
}

const meanOver = (
  judges: readonly (readonly Grade[])[],
  score: (grades: readonly Grade[]) => number | undefined,
): number | undefined => {
  const scores = judges.map(score)
  return scores.every((each): each is number => each !== undefined) ? meanOf(scores) : undefined
}
