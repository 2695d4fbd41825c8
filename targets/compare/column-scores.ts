import { commonPlaces, type AlignedVectors } from '../runs/aligned-vectors.ts'
import { exactMean } from '../statistics/exact-sum.ts'
import { tiedScore } from '../statistics/mean.ts'
import type { RankColumn } from './ranks/rank-column.ts'

/** Means of a column by model, runs counting the same; undefined for a model that lacks a run, or all values of one. */
export type ColumnScores = (
  column: Pick<RankColumn, 'strata' | 'helmScores'>,
  models: number,
) => readonly (number | undefined)[]

/** On the instances that all its models have in full. */
export const commonScores: ColumnScores = (column, models) =>
  scores(column, models, (run) => {
    const places = commonPlaces(run)
    return (own) => places.map((at) => own[at] ?? NaN)
  })

/** On the instances that each model has in full itself, as a board's cells are, and with their digits where these are at hand. */
export const ownScores: ColumnScores = (column, models) =>
  scores(column, models, () => (own) => own.filter((value) => !Number.isNaN(value)), column.helmScores)

const scores = (
  { strata }: Pick<RankColumn, 'strata'>,
  models: number,
  chosen: (run: AlignedVectors) => (own: Float64Array) => ArrayLike<number>,
  helmScores: RankColumn['helmScores'] = [],
): readonly (number | undefined)[] => {
  const runs = strata.map((run) => {
    const choose = chosen(run)
    return run.values.map((own) => {
      const values = own === undefined ? [] : choose(own)
      return values.length === 0 ? undefined : exactMean(values)
    })
  })
  const all = Array.from({ length: models }, (_, model) => {
    const means = runs.map((run) => run[model])
    const known = means.filter((mean) => mean !== undefined)
    return known.length === 0 || known.length < means.length
      ? undefined
      : (helmScores[model] ?? exactMean(known))
  })
  return all.map((score) => (score === undefined ? undefined : tiedScore(score, all)))
}
