import type { Jury } from '../../benchmarks/scenario/benchmark.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { Outcome } from '../../cache/outcome.ts'
import type { Dialect } from '../profile.ts'
import type { Cause } from '../record/coverage.ts'
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
}

/**
 * Whether a judgement counts: every score must be a number on the jury's scale, ends included, criteria that the judge
 * added too, since HELM averages over them. Undefined where there was nothing to judge.
 */
export const readJudgement = (
  { outcome, replied }: JudgeOutcome,
  { scale }: Pick<Jury, 'scale'>,
  { scores: reading }: Pick<Dialect, 'scores'>,
): JudgementReading | undefined => {
  if (outcome.kind === 'absent') return undefined
  if (!replied) return { kind: 'failed', cause: 'judge-missing' }
  const scores = outcome.kind === 'done' ? judgeScores(outcome.value, reading) : outcome
  if (scores.kind !== 'done') return { kind: 'failed', cause: 'judge-unparseable' }
  return scores.value.every((score) => score >= scale.least && score <= scale.most)
    ? { kind: 'scores', scores: scores.value }
    : { kind: 'failed', cause: 'judge-out-of-range' }
}
