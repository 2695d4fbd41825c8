import { meanOf } from '../statistics/mean.ts'
import type { RequestState } from '../record/request-state.ts'
import { storedJudgements, type JuryReading } from './stored-judgements.ts'

/** One judge's mean score of one answer, over the rubric's criteria. */
export interface JudgeScore {
  readonly instance: string
  /** An instance has an answer in each; absent of the first. */
  readonly trial?: number
  readonly judge: string
  readonly score: number
}

/** The judgements of a run that count, of all trials. */
export const judgeTable = (states: Iterable<RequestState>, reading: JuryReading): readonly JudgeScore[] => {
  const scores: JudgeScore[] = []
  for (const state of states) {
    for (const { judge, reading: own } of storedJudgements(state, reading))
      if (own.kind === 'scores' && own.scores.length > 0)
        scores.push({
          instance: String(state.instance.id),
          ...(state.trainTrialIndex > 0 && { trial: state.trainTrialIndex }),
          judge,
          score: meanOf(own.scores),
        })
  }
  return scores
}
