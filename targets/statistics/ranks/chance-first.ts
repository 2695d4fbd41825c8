import { RandomStream } from '../resampling/random-stream.ts'
import type { Words } from '../resampling/threefry.ts'

/** Enough for the second digit. */
const DRAWS = 100_000
/** `randomKey('chance-first')`; written out, as pages that compute have no sha256 at hand. */
const KEY: Words = [1764303857, 1590620305]
/** Relative: what lies nearer differs by rounding. */
const TIE = 1e-12

/**
 * In which share of normal draws around the estimates each model is the best: a description of where the estimates lie,
 * no confidence. The same for the same figures in whatever order they come.
 *
 * @param covariance of the estimates; models on the same instances vary together
 */
export const chanceFirst = (
  estimates: readonly number[],
  covariance: readonly (readonly number[])[],
  draws = DRAWS,
): readonly number[] => {
  const order = estimates
    .map((estimate, model) => ({ model, estimate, variance: covariance[model]?.[model] ?? 0 }))
    .toSorted((a, b) => b.estimate - a.estimate || a.variance - b.variance)
  const root = cholesky(
    order.map(({ model: row }) => order.map(({ model }) => covariance[row]?.[model] ?? 0)),
  )
  const wins = order.map(() => 0)
  const tie =
    TIE * Math.max(0, ...order.map(({ estimate, variance }) => Math.abs(estimate) + Math.sqrt(variance)))
  const normals = new Float64Array(order.length + 1)
  for (let draw = 0; draw < draws; draw += 1) {
    fillNormals(normals, new RandomStream(KEY, draw))
    let best = -Infinity
    const first: number[] = []
    for (let place = 0; place < order.length; place += 1) {
      let value = order[place]?.estimate ?? NaN
      const row = root[place] ?? []
      for (let at = 0; at <= place; at += 1) value += (row[at] ?? 0) * (normals[at] ?? 0)
      // Copies of one model are equal up to rounding: they share the first place.
      if (value > best + tie) first.length = 0
      if (value >= best - tie) first.push(place)
      best = Math.max(best, value)
    }
    for (const place of first) wins[place] = (wins[place] ?? 0) + 1 / first.length
  }
  const shares = estimates.map(() => 0)
  for (const [place, { model }] of order.entries()) shares[model] = (wins[place] ?? 0) / draws
  return shares
}

/** Box and Muller's pairs. */
const fillNormals = (into: Float64Array, stream: RandomStream): void => {
  for (let at = 0; at < into.length; at += 2) {
    const size = Math.sqrt(-2 * Math.log((stream.word() + 0.5) / 0x1_0000_0000))
    const angle = (2 * Math.PI * (stream.word() + 0.5)) / 0x1_0000_0000
    into[at] = size * Math.cos(angle)
    if (at + 1 < into.length) into[at + 1] = size * Math.sin(angle)
  }
}

/** The lower root of a covariance matrix; rows that others determine get no error of their own. */
const cholesky = (matrix: readonly (readonly number[])[]): readonly (readonly number[])[] => {
  const root: number[][] = []
  for (const [row, values] of matrix.entries()) {
    const line: number[] = []
    for (let column = 0; column <= row; column += 1) {
      let rest = values[column] ?? 0
      for (let at = 0; at < column; at += 1)
        rest -= (line[at] ?? 0) * ((column === row ? line : root[column])?.[at] ?? 0)
      if (column === row) line.push(rest > TIE * (values[row] ?? 0) ? Math.sqrt(rest) : 0)
      else {
        const pivot = root[column]?.[column] ?? 0
        line.push(pivot > 0 ? rest / pivot : 0)
      }
    }
    root.push(line)
  }
  return root
}
