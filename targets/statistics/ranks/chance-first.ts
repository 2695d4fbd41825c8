import { threefryInto, type Words } from '../resampling/threefry.ts'
import type { Steps } from '../scale.ts'
import { covarianceRoot } from './covariance-root.ts'

/** Enough for the second digit. */
const DRAWS = 100_000
/** `randomKey('chance-first')`; written out, as pages that compute have no sha256 at hand. */
const KEY: Words = [1764303857, 1590620305]
/** Relative: what lies nearer differs by rounding. */
const TIE = 1e-12

/** Draws after which a page may listen. */
const BLOCK = 500

/**
 * In which share of normal draws around the estimates each model is the best: a description of where the estimates lie,
 * no confidence. The same for the same figures in whatever order they come.
 *
 * @param covariance of the estimates; models on the same instances vary together
 */
export function* chancesOfFirst(
  estimates: readonly number[],
  covariance: readonly (readonly number[])[],
  draws = DRAWS,
): Steps<readonly number[]> {
  const order = estimates
    .map((estimate, model) => ({ model, estimate, variance: covariance[model]?.[model] ?? 0 }))
    .toSorted((a, b) => b.estimate - a.estimate || a.variance - b.variance)
  const root = yield* covarianceRoot(
    order.map(({ model: row }) => order.map(({ model }) => covariance[row]?.[model] ?? 0)),
  )
  const size = Math.max(0, ...order.map(({ estimate, variance }) => Math.abs(estimate) + Math.sqrt(variance)))
  const [best] = order
  const hopeful = order.flatMap((own, place) =>
    best !== undefined && own.estimate + reach(root, place) < best.estimate - UNSURE * size
      ? []
      : [{ ...own, place }],
  )
  const last = hopeful.at(-1)?.place ?? -1
  // Columns of zeros, of models that others determine, take no part: 1,000 models on 100 instances leave 99.
  const columns = order.flatMap((_, column) =>
    column <= last && (root[column]?.[column] ?? 0) > 0 ? [column] : [],
  )
  const rows = hopeful.map(({ estimate, place }) => ({
    estimate,
    weights: Float64Array.from(
      columns.filter((column) => column <= place),
      (column) => root[place]?.[column] ?? 0,
    ),
  }))
  const wins = rows.map(() => 0)
  const normals = new Float64Array(columns.length)
  const values = new Float64Array(rows.length)
  for (let draw = 0; draw < draws; draw += 1) {
    if (draw % BLOCK === 0) yield
    fillNormals(normals, columns, draw)
    drawInto(values, rows, normals)
    count(wins, values, TIE * size)
  }
  const shares = estimates.map(() => 0)
  for (const [row, { model }] of hopeful.entries()) shares[model] = (wins[row] ?? 0) / draws
  return shares
}

/** The longest that a pair of normals is: words have 32 bits. */
const LONGEST = Math.sqrt(2 * Math.log(2 ** 33))
/** Relative, far more than rounding takes. */
const UNSURE = 1e-9

/**
 * How much nearer to the first of the order a model can come in any draw: one that stays behind is never the best, and
 * needs no draws.
 */
const reach = (root: readonly (readonly number[])[], place: number): number => {
  const [first = [], own = []] = [root[0], root[place]]
  const apart = (column: number): number => (own[column] ?? 0) - (first[column] ?? 0)
  let sum = 0
  for (let column = 0; column <= place; column += 2) sum += Math.hypot(apart(column), apart(column + 1))
  return LONGEST * sum
}

const count = (wins: number[], values: Float64Array, tie: number): void => {
  let best = -Infinity
  const first: number[] = []
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] ?? NaN
    // Copies of one model are equal up to rounding: they share the first place.
    if (value > best + tie) first.length = 0
    if (value >= best - tie) first.push(row)
    best = Math.max(best, value)
  }
  for (const row of first) wins[row] = (wins[row] ?? 0) + 1 / first.length
}

interface Row {
  readonly estimate: number
  readonly weights: Float64Array
}

/** Two rows at a time: sums of one row wait for each other, those of two don't, and each keeps its order. */
const drawInto = (values: Float64Array, rows: readonly Row[], normals: Float64Array): void => {
  for (let place = 0; place < rows.length; place += 2) {
    const one = rows[place] ?? NO_ROW
    const other = rows[place + 1] ?? NO_ROW
    const both = Math.min(one.weights.length, other.weights.length)
    let [left, right] = [one.estimate, other.estimate]
    for (let at = 0; at < both; at += 1) {
      const normal = normals[at] ?? 0
      left += (one.weights[at] ?? 0) * normal
      right += (other.weights[at] ?? 0) * normal
    }
    for (let at = both; at < one.weights.length; at += 1) left += (one.weights[at] ?? 0) * (normals[at] ?? 0)
    for (let at = both; at < other.weights.length; at += 1)
      right += (other.weights[at] ?? 0) * (normals[at] ?? 0)
    values[place] = left
    values[place + 1] = right
  }
}

const NO_ROW: Row = { estimate: NaN, weights: new Float64Array() }

/** A draw's normals at some places of its endless list, by Box and Muller's pairs. */
const fillNormals = (into: Float64Array, places: readonly number[], draw: number): void => {
  const words = new Uint32Array(2)
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] ?? 0
    const pair = place - (place & 1)
    threefryInto(words, KEY[0], KEY[1], pair >>> 1, draw)
    const size = Math.sqrt(-2 * Math.log(((words[0] ?? 0) + 0.5) / 0x1_0000_0000))
    const angle = (2 * Math.PI * ((words[1] ?? 0) + 0.5)) / 0x1_0000_0000
    into[at] = size * ((place & 1) === 0 ? Math.cos(angle) : Math.sin(angle))
    if (pair === place && places[at + 1] === place + 1) {
      at += 1
      into[at] = size * Math.sin(angle)
    }
  }
}
