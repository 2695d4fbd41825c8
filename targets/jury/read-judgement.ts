import type { ItemGrading, Jury } from '../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { Outcome } from '../../cache/outcome.ts'
import type { Dialect } from '../profile.ts'
import type { Cause } from '../record/coverage.ts'
import { gradesOf, wholeGrades } from './grading/grade-answer.ts'
import { instanceRubric } from './grading/instance-rubric.ts'
import { judgeScores } from './judge-scores.ts'

/** Scores that count, or why a judgement has none. */
export type JudgementReading =
  | { readonly kind: 'scores'; readonly scores: readonly number[] }
  | {
      readonly kind: 'failed'
      readonly cause: Extract<Cause, 'judge-missing' | 'judge-unparseable' | 'judge-out-of-range'>
    }

/** One judge's part in a request. */
export interface JudgeOutcome {
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
  if (!replied) return { kind: 'failed', cause: 'judge-missing' }
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
