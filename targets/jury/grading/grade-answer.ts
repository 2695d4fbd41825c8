import { float, repr } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { ItemGrading, Jury } from '../../../benchmarks/scenario/benchmark.ts'
import { type RubricItem, rubricItems } from '../../../benchmarks/scenario/rubric.ts'
import { done, failed, type Outcome } from '../../../cache/problems/problem.ts'
import { comparedScore, foldedScore, pointsScore, type Grade } from './read-grade.ts'
import { type Instance, chatMessage, chatText } from '../../../benchmarks/scenario/instance.ts'

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

/** The rubric that an instance brings. @throws TypeError where its scenario let a bad one through */
export const instanceRubric = ({
  id,
  extraData,
}: Pick<Instance, 'id' | 'extraData'>): readonly RubricItem[] => {
  const items = rubricItems(extraData?.get('rubrics') ?? [])
  if (typeof items === 'string') throw new TypeError(`the rubric of instance ${String(id)} ${items}`)
  return items
}

/** What graders are shown of an answer: the chat as it was sent, and the answer as its last message. */
export const gradedChat = ({ input }: Pick<Instance, 'input'>, answer: string): string =>
  chatText([...(input.messages ?? [chatMessage('user', input.text)]), chatMessage('assistant', answer)])

/**
 * The grader's prompt for one item (HELM.md T27). The conversation is filled in first: one that holds the item's
 * placeholder gets the item there, too, as in the originals.
 */
export const graderPrompt = (
  template: string,
  chat: string,
  item: RubricItem,
  style: ItemGrading['style'],
): string => replaced(replaced(template, '<<conversation>>', chat), '<<rubric_item>>', SHOWN[style](item))

const SHOWN: Readonly<Record<ItemGrading['style'], (item: RubricItem) => string>> = {
  'health-bench': ({ criterion, pointsText }) => `[${pointsText}] ${criterion}`,
  'medhelm-0.8': ({ raw }) => repr(raw),
}

/** The prompt that holds the answer against a physician's; undefined where the jury asks for none, or there is no such answer. */
export const comparisonPrompt = (
  { grading }: Pick<Jury, 'grading'>,
  chat: string,
  answer: string,
  { extraData }: Pick<Instance, 'extraData'>,
): string | undefined => {
  const physician = extraData?.get('physician_response')
  if (grading?.comparison === undefined || typeof physician !== 'string') return undefined
  const asked = replaced(grading.comparison, '<<user_message>>', chat)
  return replaced(replaced(asked, '<<llm_response>>', answer), '<<physician_response>>', physician)
}

/** Python's `str.replace`. */
const replaced = (text: string, placeholder: string, value: string): string =>
  text.split(placeholder).join(value)
