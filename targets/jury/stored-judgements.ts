import type { Jury, ItemGrading } from '../../benchmarks/scenario/benchmark.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { done, failed, type Outcome } from '../../cache/problems/problem.ts'
import { dialectOf, type Dialect, type Profile } from '../profile.ts'
import type { RequestState } from '../record/request-state.ts'
import type { Target } from '../record/target.ts'
import { meanOf } from '../statistics/mean.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { isNotStored, type Cause } from '../record/coverage.ts'
import { gradesOf, wholeGrades, instanceRubric } from './grading/grade-answer.ts'
import { judgeScores } from './judge-scores.ts'

/** A jury as the annotations of a built run are read by it. */
export interface JuryReading {
  readonly jury: Pick<Jury, 'annotator' | 'criteria' | 'scale' | 'grading'>
  /** Names, in the jury's order. */
  readonly judges: readonly string[]
  readonly dialect: Pick<Dialect, 'scores'>
}

/** How a run's jury is read; undefined for a run without one. */
export const juryReading = (
  { spec: { benchmark }, judges }: Pick<Target, 'spec' | 'judges'>,
  profile: Profile,
): JuryReading | undefined => benchmark.jury && readingOf(benchmark.jury, judges, profile)

/** The same of a jury that there is. */
export const readingOf = (
  jury: JuryReading['jury'],
  judges: Target['judges'],
  profile: Profile,
): JuryReading => ({
  jury,
  judges: judges.map(({ judge }) => judge.name),
  dialect: dialectOf(profile),
})

/** One judge's part in a stored annotation. */
interface StoredJudgement {
  readonly judge: string
  /** The parsed reply; undefined where none came that could be read. */
  readonly parsed: PyValue | undefined
  readonly reading: JudgementReading
}

/**
 * What each judge gave on one answer. Empty where nothing was judged. An annotation does not tell a judge that gave no
 * reply from one whose reply could not be read: both are `judge-unparseable` here.
 */
export const storedJudgements = (
  { annotations, instance }: Pick<RequestState, 'annotations' | 'instance'>,
  { jury, judges, dialect }: JuryReading,
): readonly StoredJudgement[] => {
  const annotation = annotations?.get(jury.annotator)
  if (!(annotation instanceof Map) || isEmptyAnnotation(annotation)) return []
  return judges.map((judge) => {
    const parsed: PyValue | undefined = annotation.get(judge)
    const outcome = parsed === undefined ? failed('unparseable', 'not in the annotation') : done(parsed)
    const reading = readJudgement(
      { outcome, replied: true, graded: { instance: () => instance, judges: judges.length } },
      jury,
      dialect,
    )
    if (reading === undefined) throw new RangeError(`a judgement of ${judge} reads as absent`)
    return { judge, parsed, reading }
  })
}

/** Mean over all scores of the judges that count, whatever the rubric; null where none does. */
export const judgedScore = (
  state: Pick<RequestState, 'annotations' | 'instance'>,
  reading: JuryReading,
): number | null => {
  const scores = storedJudgements(state, reading).flatMap(({ reading: own }) =>
    own.kind === 'scores' ? own.scores : [],
  )
  return scores.length === 0 ? null : meanOf(scores)
}

/** HELM's annotation of an answer of blanks only: no judge was asked (HELM.md T11). */
export const emptyAnnotation = (): ReadonlyMap<string, PyValue> =>
  new Map<string, PyValue>([
    ['prompt_text', null],
    ['empty_output_equivalence_judgement', false],
  ])

export const isEmptyAnnotation = (annotation: ReadonlyMap<string, PyValue>): boolean =>
  annotation.has('empty_output_equivalence_judgement')

/**
 * HELM's annotation of a judged answer: the prompt, then each judge's parsed reply in the jury's order.
 * Judges without a reply that could be read are not in it.
 */
export const annotationOf = (
  prompt: string,
  judgements: Iterable<readonly [judge: string, parsed: PyValue]>,
): ReadonlyMap<string, PyValue> => new Map<string, PyValue>([['prompt_text', prompt], ...judgements])

/** Scores that count, or why a judgement has none. */
export type JudgementReading =
  | { readonly kind: 'scores'; readonly scores: readonly number[] }
  | {
      readonly kind: 'failed'
      readonly cause: Extract<
        Cause,
        'not-stored' | 'judge-missing' | 'judge-unparseable' | 'judge-out-of-range'
      >
    }

/** One judge's part in a request. */
interface JudgeOutcome {
  readonly outcome: Outcome<PyValue>
  /** Whether the judge replied at all. */
  readonly replied: boolean
  /** Where judges grade the items of the instance's rubric: what was graded, and by how many judges. */
  readonly graded?: { readonly instance: () => Instance; readonly judges: number }
}

/**
 * Whether a judgement counts: every score must be a number on the jury's scale, ends included, criteria that the judge
 * added too, since HELM averages over them. Undefined where there was nothing to judge.
 */
export const readJudgement = (
  judged: JudgeOutcome,
  { scale, grading }: Pick<Jury, 'scale' | 'grading'>,
  { scores: reading }: Pick<Dialect, 'scores'>,
): JudgementReading | undefined => {
  const { outcome, replied } = judged
  if (outcome.kind === 'absent') return undefined
  if (!replied) {
    const isUnasked = outcome.kind === 'failed' && isNotStored(outcome.cause)
    return { kind: 'failed', cause: isUnasked ? 'not-stored' : 'judge-missing' }
  }
  const scores =
    outcome.kind === 'done' ? judgeScores(outcome.value, grading === undefined ? reading : 'float') : outcome
  if (scores.kind !== 'done') return { kind: 'failed', cause: 'judge-unparseable' }
  if (grading !== undefined && !isWhole(judged, grading))
    return { kind: 'failed', cause: 'judge-unparseable' }
  // Such a score has no least value that all instances share.
  if (grading?.style === 'health-bench') return { kind: 'scores', scores: scores.value }
  return scores.value.every((score) => score >= scale.least && score <= scale.most)
    ? { kind: 'scores', scores: scores.value }
    : { kind: 'failed', cause: 'judge-out-of-range' }
}

/** Whether every item has its grade: a score of medhelm 0.8.0 is made of those that are there. */
const isWhole = ({ outcome, graded }: JudgeOutcome, grading: ItemGrading): boolean => {
  if (outcome.kind !== 'done' || grading.style === 'health-bench') return true
  if (graded === undefined) return false
  const { instance, judges } = graded
  const rubric = instanceRubric(instance())
  const isCompared = typeof instance().extraData?.get('physician_response') === 'string'
  return (
    gradesOf(outcome.value, grading.style).length === wholeGrades(rubric.length, judges, grading, isCompared)
  )
}
