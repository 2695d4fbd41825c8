import { fQuantile, fTail } from '../distributions/f-distribution.ts'
import type { Interval } from '../intervals/wilson.ts'
import { meanOf, withoutRounding } from '../mean.ts'

/** Shrout and Fleiss's forms: of one score, raters being drawn anew for each item; of the mean of raters who are all there are. */
export type IccForm = 'ICC1' | 'ICC3k'

interface Icc {
  readonly value: number
  readonly f: number
  readonly df1: number
  readonly df2: number
  /** That there is no difference between the items. */
  readonly p: number
  /** Undefined where the raters agree fully, or no item differs: F is then no number to turn into limits. */
  readonly interval?: Interval
}

/** Mean squares of a complete two-way table: between items, within items, and the rest. */
interface MeanSquares {
  readonly items: number
  readonly raters: number
  readonly between: number
  readonly within: number
  readonly rest: number
}

const meanSquares = (matrix: readonly (readonly number[])[]): MeanSquares => {
  const items = matrix.length
  const raters = matrix[0]?.length ?? 0
  if (items < 2 || raters < 2) throw new RangeError('an ICC needs two items and two raters')
  if (matrix.some((row) => row.length !== raters)) throw new RangeError('every rater rates every item')
  const grand = meanOf(matrix.flat())
  const rowMeans = matrix.map(meanOf)
  const columnMeans = Array.from({ length: raters }, (_, column) =>
    meanOf(matrix.map((row) => row[column] ?? NaN)),
  )
  const spread = withoutRounding(matrix.flat())
  let within = 0
  let rest = 0
  for (const [index, row] of matrix.entries()) {
    const rowMean = rowMeans[index] ?? NaN
    for (const [column, value] of row.entries()) {
      within += (value - rowMean) ** 2
      rest += (value - rowMean - (columnMeans[column] ?? NaN) + grand) ** 2
    }
  }
  return {
    items,
    raters,
    between: (raters * spread(rowMeans.reduce((sum, mean) => sum + (mean - grand) ** 2, 0))) / (items - 1),
    within: spread(within) / (items * (raters - 1)),
    rest: spread(rest) / ((items - 1) * (raters - 1)),
  }
}

const valueOf = (form: IccForm, { raters: k, between, within, rest }: MeanSquares): number =>
  form === 'ICC1' ? (between - within) / (between + (k - 1) * within) : (between - rest) / between

const intervalOf = (
  form: IccForm,
  { raters: k }: MeanSquares,
  { f, df1, df2 }: Omit<Icc, 'value' | 'p'>,
  tail: number,
): Interval => {
  const turn = (limit: number): number => (form === 'ICC1' ? (limit - 1) / (limit + k - 1) : 1 - 1 / limit)
  return { low: turn(f / fQuantile(tail, df1, df2)), high: turn(f * fQuantile(tail, df2, df1)) }
}

/**
 * An intraclass correlation of a complete table, rows items, columns raters: 1 full agreement, 0 and less none
 * (Shrout and Fleiss 1979, McGraw and Wong 1996).
 * @throws RangeError for fewer than two items or raters, or a table with holes
 */
export const intraclassCorrelation = (
  matrix: readonly (readonly number[])[],
  form: IccForm,
  confidence = 0.95,
): Icc => {
  const squares = meanSquares(matrix)
  const { items: n, raters: k, between, within, rest } = squares
  const isOneWay = form === 'ICC1'
  const f = between / (isOneWay ? within : rest)
  const df1 = n - 1
  const df2 = isOneWay ? n * (k - 1) : (n - 1) * (k - 1)
  const result = { value: valueOf(form, squares), f, df1, df2, p: Number.isNaN(f) ? NaN : fTail(f, df1, df2) }
  if (!Number.isFinite(f)) return result
  return { ...result, interval: intervalOf(form, squares, { f, df1, df2 }, (1 - confidence) / 2) }
}
