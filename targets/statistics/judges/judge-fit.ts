import { groupBy } from '../../../cache/lists.ts'
import { symmetricPower } from './symmetric-eigen.ts'

/** A judgement of an answer as the regression sees it. */
interface FitRow {
  /** What is drawn independently: all its answers vary together. */
  readonly item: string
  /** Within its item. */
  readonly answer: string
  readonly judge: string
  readonly score: number
}

/** An estimate with its CR2 variance over items and Satterthwaite's degrees of freedom. */
export interface FitEffect {
  readonly value: number
  readonly variance: number
  readonly df: number
}

interface JudgeFit {
  /** Points above the judges' mean, by judge in the order given; null where the judgements do not tell. */
  readonly leniency: readonly (number | null)[]
  /** By extra column; null where it cannot be told from the judges. */
  readonly effects: readonly (FitEffect | null)[]
}

type Matrix = readonly (readonly number[])[]

/** The rows of one item, each column and the scores less their means over the answer's judgements. */
interface Block {
  /** Rows × columns. */
  readonly x: Matrix
  readonly y: readonly number[]
  /** Equal for items of the same shape, which share all but their scores. */
  readonly shape: string
}

/**
 * Least squares of scores on a term for every answer, one for every judge, and extra columns of 0 and 1. The terms of
 * answers are taken out by hand, so that only as many unknowns as judges and columns are left.
 */
export const fitJudges = <Row extends FitRow>(
  rows: readonly Row[],
  judges: readonly string[],
  extra: readonly ((row: Row) => boolean)[],
): JudgeFit => {
  const columns = [...judges.map((judge) => (row: Row) => row.judge === judge), ...extra]
  const blocks = [...groupBy(rows, ({ item }) => item).values()].map((own) => blockOf(own, columns))
  const normal = columns.map((_, i) =>
    columns.map((__, j) =>
      blocks.reduce((sum, { x }) => sum + x.reduce((inner, row) => inner + at(row, i) * at(row, j), 0), 0),
    ),
  )
  const largest = normal.reduce((most, row, index) => Math.max(most, at(row, index)), 0)
  const inverse = symmetricPower(normal, -1, 1e-10 * largest)
  const right = columns.map((_, i) =>
    blocks.reduce(
      (sum, { x, y }) => sum + x.reduce((inner, row, at2) => inner + at(row, i) * at(y, at2), 0),
      0,
    ),
  )
  const beta = inverse.map((row) => dot(row, right))
  const isEstimable = (contrast: readonly number[]): boolean => {
    const seen = inverse.map((row) =>
      dot(
        row,
        normal.map((own) => dot(own, contrast)),
      ),
    )
    return seen.every((value, index) => Math.abs(value - at(contrast, index)) < 1e-7)
  }
  return {
    leniency: judges.map((_, judge) => {
      const contrast = columns.map((__, index) =>
        index >= judges.length ? 0 : Number(index === judge) - 1 / judges.length,
      )
      return isEstimable(contrast) ? dot(contrast, beta) : null
    }),
    effects: extra.map((_, index) => {
      const contrast = columns.map((__, column) => Number(column === judges.length + index))
      if (!isEstimable(contrast)) return null
      return { value: dot(contrast, beta), ...robust(blocks, { inverse, beta, contrast }) }
    }),
  }
}

const at = (values: readonly number[], index: number): number => values[index] ?? NaN

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * at(b, index), 0)

const blockOf = <Row extends FitRow>(
  rows: readonly Row[],
  columns: readonly ((row: Row) => boolean)[],
): Block => {
  const places = rows.map(({ answer }) =>
    rows.flatMap((other, index) => (other.answer === answer ? [index] : [])),
  )
  const centred = (values: readonly number[]): readonly number[] =>
    values.map((value, index) => {
      const own = places[index] ?? []
      return value - own.reduce((sum, place) => sum + at(values, place), 0) / own.length
    })
  const raw = columns.map((column) => rows.map((row) => Number(column(row))))
  const x = raw.map(centred)
  return {
    x: rows.map((_, row) => x.map((column) => at(column, row))),
    y: centred(rows.map(({ score }) => score)),
    shape: JSON.stringify([raw, places]),
  }
}

interface Contrast {
  readonly inverse: Matrix
  readonly beta: readonly number[]
  readonly contrast: readonly number[]
}

/** What an item's residuals are weighed by, and what its share of the degrees of freedom rests on. */
interface Weighing {
  readonly weights: readonly number[]
  /** Weights times the block. */
  readonly turned: readonly number[]
  readonly own: number
}

/** CR2 (Bell and McCaffrey 2002) with items as clusters; degrees of freedom for equal, independent errors. */
const robust = (
  blocks: readonly Block[],
  { inverse, beta, contrast }: Contrast,
): Pick<FitEffect, 'variance' | 'df'> => {
  const direction = inverse.map((row) => dot(row, contrast))
  const shapes = new Map<string, Weighing>()
  let [variance, trace, squares] = [0, 0, 0]
  const sums = contrast.map(() => contrast.map(() => 0))
  for (const block of blocks) {
    const known = shapes.get(block.shape) ?? weighingOf(block, inverse, direction)
    shapes.set(block.shape, known)
    const { weights, turned, own } = known
    const residual = block.y.reduce(
      (sum, y, row) => sum + at(weights, row) * (y - dot(block.x[row] ?? [], beta)),
      0,
    )
    variance += residual ** 2
    trace += own
    squares += own ** 2 - quadratic(turned, inverse) ** 2
    for (const [i, left] of turned.entries())
      for (const [j, right] of turned.entries()) {
        const row = sums[i]
        if (row !== undefined) row[j] = at(row, j) + left * right
      }
  }
  const product = times(inverse, sums)
  const crossed = product.reduce(
    (sum, row, i) => sum + row.reduce((inner, value, j) => inner + value * at(product[j] ?? [], i), 0),
    0,
  )
  return { variance, df: trace ** 2 / (squares + crossed) }
}

const quadratic = (vector: readonly number[], matrix: Matrix): number =>
  dot(vector, timesVector(matrix, vector))

/**
 * (I − H)^(−½) times the block's part of the contrast, without eigenvalues of 0. It lies in the span of the block's few
 * columns, so no matrix as large as the block is taken apart.
 */
const weighingOf = ({ x }: Block, inverse: Matrix, direction: readonly number[]): Weighing => {
  const gram = direction.map((_, i) =>
    direction.map((__, j) => x.reduce((sum, row) => sum + at(row, i) * at(row, j), 0)),
  )
  const [half, halfInverse] = [symmetricPower(gram, 0.5), symmetricPower(gram, -0.5)]
  const hat = times(times(half, inverse), half)
  const rest = hat.map((row, i) => row.map((value, j) => Number(i === j) - value))
  const inner = timesVector(symmetricPower(rest, -0.5), timesVector(half, direction))
  const spanned = timesVector(halfInverse, inner)
  const weights = x.map((row) => dot(row, spanned))
  const turned = direction.map((_, column) =>
    x.reduce((sum, row, i) => sum + at(row, column) * at(weights, i), 0),
  )
  return { weights, turned, own: dot(weights, weights) - quadratic(turned, inverse) }
}

const timesVector = (matrix: Matrix, vector: readonly number[]): readonly number[] =>
  matrix.map((row) => dot(row, vector))

const times = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b.map((_, j) => b.reduce((sum, own, k) => sum + at(row, k) * at(own, j), 0)))
