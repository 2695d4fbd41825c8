import { statisticsMean } from '../../benchmarks/python/numbers/mean.ts'
import { comparableRate, winRates } from '../tables/cells/win-rate.ts'
import { squaresOf } from '../statistics/mean.ts'
import { isNormal, isShared, normalized, type ScoreColumn, type ScoreTable } from './score-table.ts'

/** A model's row of the paper's Table 1. Each is null where too little is known. */
export interface ModelStanding {
  readonly model: string
  /** Mean win rate as HELM forms it; ties count half. */
  readonly winRate: number | null
  /** Benchmarks that the win rate rests on: over fewer than another's it is over other questions. */
  readonly winRateBenchmarks: number
  /**
   * Spread of the model's win rates against each other model, dividing by their number: low means that it wins, or
   * loses, alike whomever it meets. Ties win nothing here, as in the paper's script.
   */
  readonly winRateSd: number | null
  /** Mean over the benchmarks that models share, each between 0 and 1; null unless the model has all of them. */
  readonly macroAverage: number | null
  /** Standard deviation of those values, dividing by one less than their number. */
  readonly macroSd: number | null
}

/**
 * Table 1, best win rate first; of equals the one named first in the table. Models whose win rate rests on fewer
 * benchmarks than others' come last. `row`: the model's place in the table.
 */
export const standings = (
  table: ScoreTable,
): readonly { readonly row: number; readonly standing: ModelStanding }[] => {
  const { models, columns } = table
  const rates = winRates(
    columns.map(({ lowerIsBetter, values }) => ({
      ...(lowerIsBetter === undefined ? {} : { lowerIsBetter }),
      values: values.map((value) => value ?? undefined),
    })),
    models.length,
  )
  const compared = columns.filter(
    ({ lowerIsBetter, values }) =>
      lowerIsBetter !== undefined && values.filter((value) => value !== null).length > 1,
  )
  const isWhole = ({ winRateBenchmarks }: ModelStanding): boolean => winRateBenchmarks === compared.length
  return models
    .map((model, row) => ({
      row,
      standing: {
        model,
        winRate: rates[row] ?? null,
        winRateBenchmarks: compared.filter(({ values }) => (values[row] ?? null) !== null).length,
        winRateSd: deviation(against(table, row), 0),
        ...macro(columns, row),
      },
    }))
    .sort(
      (a, b) =>
        Number(isWhole(b.standing)) - Number(isWhole(a.standing)) ||
        comparable(b.standing) - comparable(a.standing),
    )
}

const comparable = ({ winRate }: ModelStanding): number => (winRate === null ? -1 : comparableRate(winRate))

/** The share of the benchmarks that both have in which the model is strictly better, for each other model. */
const against = ({ models, columns }: ScoreTable, row: number): readonly number[] =>
  models.flatMap((_, other) => {
    if (other === row) return []
    const compared = columns.flatMap((column) => betterIn(column, row, other) ?? [])
    return compared.length === 0 ? [] : [compared.filter((isBetter) => isBetter).length / compared.length]
  })

const betterIn = (
  { lowerIsBetter, values }: ScoreColumn,
  row: number,
  other: number,
): boolean | undefined => {
  const [own, theirs] = [values[row] ?? null, values[other] ?? null]
  if (lowerIsBetter === undefined || own === null || theirs === null) return undefined
  return lowerIsBetter ? own < theirs : own > theirs
}

const macro = (
  columns: readonly ScoreColumn[],
  row: number,
): Pick<ModelStanding, 'macroAverage' | 'macroSd'> => {
  const values = columns
    .filter((column) => isNormal(column) && isShared(column))
    .map((column) => normalized(column, column.values[row] ?? null))
  const known = values.filter((value) => value !== null)
  const isWhole = known.length > 0 && known.length === values.length
  return {
    macroAverage: isWhole ? statisticsMean(known) : null,
    macroSd: isWhole ? deviation(known, 1) : null,
  }
}

/** @param less what is taken from the number of values */
const deviation = (values: readonly number[], less: 0 | 1): number | null =>
  values.length <= less ? null : Math.sqrt(squaresOf(values) / (values.length - less))
