import { exactMean } from '../statistics/exact-sum.ts'
import { tiedScore } from '../statistics/tied-scores.ts'
import type { RankColumn } from './ranks/rank-column.ts'

/**
 * Means of a column on the instances that all its models have in full, by model; runs count the same. Undefined for a model
 * that lacks a run, and for all where a run has no such instance: means would be over other questions.
 */
export const commonScores = (
  { strata }: Pick<RankColumn, 'strata'>,
  models: number,
): readonly (number | undefined)[] => {
  const runs = strata.map(({ instances, values }) => {
    const known = values.filter((each) => each !== undefined)
    const common = Array.from({ length: instances }, (_, at) => at).filter((at) =>
      known.every((each) => !Number.isNaN(each[at] ?? NaN)),
    )
    return values.map((each) =>
      each === undefined || common.length === 0 ? undefined : exactMean(common.map((at) => each[at] ?? NaN)),
    )
  })
  const scores = Array.from({ length: models }, (_, model) => {
    const means = runs.map((run) => run[model])
    const known = means.filter((mean) => mean !== undefined)
    return known.length === 0 || known.length < means.length ? undefined : exactMean(known)
  })
  return scores.map((score) => (score === undefined ? undefined : tiedScore(score, scores)))
}
