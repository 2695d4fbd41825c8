import { float } from '../../../benchmarks/python/numbers/float.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { ItemGrading } from '../../../benchmarks/scenario/benchmark.ts'
import type { RubricItem } from '../../../benchmarks/scenario/rubric.ts'
import { done, failed, type Outcome } from '../../../cache/outcome.ts'
import { comparedScore, foldedScore, pointsScore } from './grade-score.ts'
import type { Grade } from './read-grade.ts'

/** What one judge replied on one answer: per item, and to the comparison where it was asked for one. */
export interface Graded {
  readonly grades: readonly Outcome<Grade>[]
  readonly comparison?: Outcome<Grade>
}

/** The key under which a style keeps a judge's score and grades. */
const GRADED_AS: Readonly<Record<ItemGrading['style'], string>> = {
  'health-bench': 'rubric',
  // A jury's annotation is by criterion.
  'medhelm-0.8': 'accuracy',
}

/**
 * What the annotation holds of each judge, in the jury's order: `{accuracy: {score, criteria}}`, or why there is none.
 *
 * `health-bench`: an item that could not be read leaves the judge without a score. `medhelm-0.8`: grades that could not be
 * read leave no gap, and where a comparison is asked for all judges' grades are one list, from which each judge's score
 * is made of what stands in it by then (HELM.md T27).
 */
export const gradedJudgements = (
  items: readonly RubricItem[],
  judges: readonly Graded[],
  { style, comparison }: ItemGrading,
): readonly Outcome<PyValue>[] => {
  if (style === 'health-bench') return judges.map((judge) => pointsJudgement(items, judge))
  const shared = comparison === undefined ? undefined : judges.flatMap(allGrades)
  let before: readonly Grade[] = []
  return judges.map((judge) => {
    const own = readable(judge.grades)
    const outcome = foldedJudgement(items, shared === undefined ? own : [...before, ...own], judge, shared)
    before = [...before, ...allGrades(judge)]
    return outcome
  })
}

const pointsJudgement = (items: readonly RubricItem[], { grades }: Graded): Outcome<PyValue> => {
  const unread = grades.findIndex(({ kind }) => kind !== 'done')
  const grade = grades[unread]
  if (grade !== undefined)
    return failed(
      'unparseable',
      `item ${unread + 1} of ${items.length}: ${grade.kind === 'failed' ? grade.cause.detail : 'no grade'}`,
    )
  const read = readable(grades)
  const score = pointsScore(
    items.map(({ points }, index) => ({ points, met: read[index]?.get('criteria_met') === true })),
  )
  return score === undefined ? NO_POINTS : done(judgement('health-bench', score, read))
}

const foldedJudgement = (
  items: readonly RubricItem[],
  grades: readonly Grade[],
  { comparison }: Graded,
  shown: readonly Grade[] = grades,
): Outcome<PyValue> => {
  const folded = foldedScore(items, grades)
  const compared = comparison?.kind === 'done' ? (comparison.value.get('criteria_met') ?? null) : null
  const score = folded === undefined || compared === null ? folded : comparedScore(folded, compared)
  if (folded === undefined) return NO_POINTS
  if (score === undefined) return failed('score-not-a-number', 'the comparison gives no number')
  return done(judgement('medhelm-0.8', score, shown))
}

const NO_POINTS = failed('no-points', 'the rubric has no points to reach')

const judgement = (style: ItemGrading['style'], score: number, criteria: readonly Grade[]): PyValue =>
  new Map([
    [
      GRADED_AS[style],
      new Map<string, PyValue>([
        ['score', float(score)],
        ['criteria', criteria],
      ]),
    ],
  ])

const readable = (grades: readonly Outcome<Grade>[]): readonly Grade[] =>
  grades.flatMap((grade) => (grade.kind === 'done' ? [grade.value] : []))

const allGrades = ({ grades, comparison }: Graded): readonly Grade[] =>
  readable(comparison === undefined ? grades : [...grades, comparison])

/** Whether any item can be met for points: an answer to a rubric without is neither graded nor scored. */
export const hasPoints = (items: readonly RubricItem[], style: ItemGrading['style']): boolean =>
  (style === 'health-bench'
    ? pointsScore(items.map((item) => ({ ...item, met: false })))
    : foldedScore(items, [])) !== undefined

/** Grades that a judge's part of an annotation holds where each reply could be read. */
export const wholeGrades = (
  items: number,
  judges: number,
  { comparison }: ItemGrading,
  isCompared: boolean,
): number => (comparison === undefined ? items : (items + (isCompared ? 1 : 0)) * judges)

/** The grades within a judge's part of an annotation. */
export const gradesOf = (judged: PyValue | undefined, style: ItemGrading['style']): readonly Grade[] => {
  const own: PyValue | undefined = judged instanceof Map ? judged.get(GRADED_AS[style]) : undefined
  const criteria: PyValue | undefined = own instanceof Map ? own.get('criteria') : undefined
  return Array.isArray(criteria) ? (criteria as readonly Grade[]) : []
}
