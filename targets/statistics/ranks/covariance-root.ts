import type { Steps } from '../scale.ts'

type Matrix = readonly (readonly number[])[]

/** Relative: what lies nearer differs by rounding. */
const TIE = 1e-12
/** Relative, more than pivots that are taken for 0 leave. */
const UNSURE = 1e-5
/** Into how many parts the way to no covariances is cut. */
const PARTS = 32

/**
 * The lower root of a covariance matrix; rows that others determine get no error of their own. Covariances that were each
 * taken from other instances may fit no common distribution: they are then drawn towards 0, all by the least share of 32
 * that makes them fit, and variances stay.
 */
export function* covarianceRoot(matrix: Matrix): Steps<Matrix> {
  const whole = cholesky(matrix)
  if (whole !== undefined) return whole
  let [low, high] = [-1, PARTS]
  let root = cholesky(drawn(matrix, 1)) ?? []
  while (high - low > 1) {
    yield
    const middle = (low + high) >> 1
    const found = cholesky(drawn(matrix, middle / PARTS))
    if (found === undefined) low = middle
    else [high, root] = [middle, found]
  }
  return root
}

/** No covariance is greater than the two variances allow. */
const drawn = (matrix: Matrix, share: number): Matrix =>
  matrix.map((values, row) =>
    values.map((value, column) => {
      if (row === column) return value
      const most = Math.sqrt((matrix[row]?.[row] ?? 0) * (matrix[column]?.[column] ?? 0))
      return (1 - share) * Math.min(most, Math.max(-most, value))
    }),
  )

/** Undefined where no distribution has these covariances. */
const cholesky = (matrix: Matrix): Matrix | undefined => {
  const root: number[][] = []
  for (const [row, values] of matrix.entries()) {
    const line: number[] = []
    const own = values[row] ?? 0
    for (let column = 0; column <= row; column += 1) {
      let rest = values[column] ?? 0
      for (let at = 0; at < column; at += 1)
        rest -= (line[at] ?? 0) * ((column === row ? line : root[column])?.[at] ?? 0)
      if (column === row) {
        if (rest < -UNSURE * own) return undefined
        line.push(rest > TIE * own ? Math.sqrt(rest) : 0)
      } else {
        const pivot = root[column]?.[column] ?? 0
        if (pivot === 0 && Math.abs(rest) > UNSURE * Math.sqrt(own * (matrix[column]?.[column] ?? 0)))
          return undefined
        line.push(pivot > 0 ? rest / pivot : 0)
      }
    }
    root.push(line)
  }
  return root
}
