interface Eigen {
  readonly values: readonly number[]
  /** Columns, each of length 1: `vectors[row][column]`. */
  readonly vectors: readonly (readonly number[])[]
}

const SWEEPS = 60

/** Eigenvalues and vectors of a symmetric matrix by Jacobi's rotations, in no order. */
const symmetricEigen = (matrix: readonly (readonly number[])[]): Eigen => {
  const n = matrix.length
  const a = matrix.map((row) => Float64Array.from(row))
  const v = matrix.map((_, row) => Float64Array.from({ length: n }, (__, column) => Number(row === column)))
  const at = (rows: readonly Float64Array[], i: number, j: number): number => rows[i]?.[j] ?? NaN
  const scale = Math.max(1e-300, ...matrix.map((row) => Math.max(0, ...row.map(Math.abs))))
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    let off = 0
    for (let p = 0; p < n; p += 1)
      for (let q = p + 1; q < n; q += 1) {
        const apq = at(a, p, q)
        off = Math.max(off, Math.abs(apq))
        if (Math.abs(apq) < 1e-300) continue
        const theta = (at(a, q, q) - at(a, p, p)) / (2 * apq)
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
        const c = 1 / Math.sqrt(t * t + 1)
        rotate(a, v, { p, q, c, s: t * c })
      }
    if (off <= 1e-17 * scale) break
  }
  return { values: a.map((row, index) => row[index] ?? NaN), vectors: v.map((row) => [...row]) }
}

const rotate = (
  a: readonly Float64Array[],
  v: readonly Float64Array[],
  { p, q, c, s }: { readonly p: number; readonly q: number; readonly c: number; readonly s: number },
): void => {
  const turn = (row: Float64Array): void => {
    const [x, y] = [row[p] ?? NaN, row[q] ?? NaN]
    row[p] = c * x - s * y
    row[q] = s * x + c * y
  }
  for (const row of a) turn(row)
  const [rowP, rowQ] = [a[p], a[q]]
  if (rowP !== undefined && rowQ !== undefined)
    for (let k = 0; k < rowP.length; k += 1) {
      const [x, y] = [rowP[k] ?? NaN, rowQ[k] ?? NaN]
      rowP[k] = c * x - s * y
      rowQ[k] = s * x + c * y
    }
  for (const row of v) turn(row)
}

/**
 * A power of a symmetric matrix without its null space: eigenvalues up to `smallest` are left out.
 * −½ and −1 give (pseudo) inverse root and inverse.
 */
export const symmetricPower = (
  matrix: readonly (readonly number[])[],
  power: number,
  smallest = 1e-10,
): readonly (readonly number[])[] => {
  const { values, vectors } = symmetricEigen(matrix)
  const kept = values.flatMap((value, index) => (value > smallest ? [{ index, factor: value ** power }] : []))
  return vectors.map((left) =>
    vectors.map((right) =>
      kept.reduce((sum, { index, factor }) => sum + factor * (left[index] ?? NaN) * (right[index] ?? NaN), 0),
    ),
  )
}
