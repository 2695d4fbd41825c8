import { meanOf } from '../statistics/mean.ts'
import type { RequestState } from '../record/request-state.ts'
import { storedJudgements, type JuryReading } from './stored-judgements.ts'

/** One judge's mean score of one answer, over the rubric's criteria. */
export interface JudgeScore {
  readonly instance: string
  readonly judge: string
  readonly score: number
}

/** The judgements of a run that count; of several trials the first. */
export const judgeTable = (states: Iterable<RequestState>, reading: JuryReading): readonly JudgeScore[] => {
  const scores: JudgeScore[] = []
  for (const state of states) {
    if (state.trainTrialIndex !== 0) continue
    for (const { judge, reading: own } of storedJudgements(state, reading))
      if (own.kind === 'scores' && own.scores.length > 0)
        scores.push({ instance: String(state.instance.id), judge, score: meanOf(own.scores) })
  }
  return scores
}
