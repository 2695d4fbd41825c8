import { fQuantile, fTail } from '../distributions/f-distribution.ts'
import type { Interval } from '../intervals/interval.ts'
import { meanOf, withoutRounding } from '../mean.ts'

/** Shrout and Fleiss's forms; `k`: of the raters' mean. 3: these raters are all there are. */
export type IccForm = 'ICC1' | 'ICC2' | 'ICC3' | 'ICC1k' | 'ICC2k' | 'ICC3k'

export interface Icc {
  readonly value: number
  readonly f: number
  readonly df1: number
  readonly df2: number
  /** That there is no difference between the items. */
  readonly p: number
  /** Undefined where the raters agree fully, or no item differs: F is then no number to turn into limits. */
  readonly interval?: Interval
}

/** Mean squares of a complete two-way table: between items, within items, between raters, and the rest. */
interface MeanSquares {
  readonly items: number
  readonly raters: number
  readonly between: number
  readonly within: number
  readonly rater: number
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
  const squares = (means: readonly number[]): number =>
    spread(means.reduce((sum, mean) => sum + (mean - grand) ** 2, 0))
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
    between: (raters * squares(rowMeans)) / (items - 1),
    within: spread(within) / (items * (raters - 1)),
    rater: (items * squares(columnMeans)) / (raters - 1),
    rest: spread(rest) / ((items - 1) * (raters - 1)),
  }
}

const valueOf = (form: IccForm, squares: MeanSquares): number => {
  const { items: n, raters: k, between, within, rater, rest } = squares
  if (form === 'ICC1') return (between - within) / (between + (k - 1) * within)
  if (form === 'ICC1k') return (between - within) / between
  if (form === 'ICC2') return (between - rest) / (between + (k - 1) * rest + (k * (rater - rest)) / n)
  if (form === 'ICC2k') return (between - rest) / (between + (rater - rest) / n)
  return form === 'ICC3' ? (between - rest) / (between + (k - 1) * rest) : (between - rest) / between
}

/** McGraw and Wong's interval of ICC2, whose degrees of freedom are estimated (after Satterthwaite). */
const randomRatersInterval = (squares: MeanSquares, tail: number): Interval => {
  const { items: n, raters: k, between, rater, rest } = squares
  const icc = valueOf('ICC2', squares)
  const raterShare = k * icc * (rater / rest)
  const itemShare = n * (1 + (k - 1) * icc) - k * icc
  const df =
    ((k - 1) * (n - 1) * (raterShare + itemShare) ** 2) / ((n - 1) * raterShare ** 2 + itemShare ** 2)
  const above = fQuantile(tail, n - 1, df)
  const below = fQuantile(tail, df, n - 1)
  const spread = k * rater + (k * n - k - n) * rest
  return {
    low: (n * (between - above * rest)) / (above * spread + n * between),
    high: (n * (below * between - rest)) / (spread + n * below * between),
  }
}

const intervalOf = (
  form: IccForm,
  squares: MeanSquares,
  { f, df1, df2 }: Omit<Icc, 'value' | 'p'>,
  tail: number,
): Interval => {
  const { raters: k } = squares
  const both = (turn: (limit: number) => number, { low, high }: Interval): Interval => ({
    low: turn(low),
    high: turn(high),
  })
  if (form === 'ICC2') return randomRatersInterval(squares, tail)
  if (form === 'ICC2k')
    return both((limit) => (limit * k) / (1 + limit * (k - 1)), randomRatersInterval(squares, tail))
  const limits = { low: f / fQuantile(tail, df1, df2), high: f * fQuantile(tail, df2, df1) }
  return form === 'ICC1k' || form === 'ICC3k'
    ? both((limit) => 1 - 1 / limit, limits)
    : both((limit) => (limit - 1) / (limit + k - 1), limits)
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
  const isOneWay = form.startsWith('ICC1')
  const f = between / (isOneWay ? within : rest)
  const df1 = n - 1
  const df2 = isOneWay ? n * (k - 1) : (n - 1) * (k - 1)
  const result = { value: valueOf(form, squares), f, df1, df2, p: Number.isNaN(f) ? NaN : fTail(f, df1, df2) }
  if (!Number.isFinite(f)) return result
  return { ...result, interval: intervalOf(form, squares, { f, df1, df2 }, (1 - confidence) / 2) }
}
