/** Values that lie together, by the power sums of their distances from a centre, in units of a radius that none exceeds. */
export interface PowerSums {
  /** Places of the first value among the distinct ones, and of the one behind the last. */
  readonly from: number
  readonly to: number
  readonly centre: number
  readonly radius: number
  readonly sums: Float64Array
}

/** Σ log(1 + i a s) over the values' distances a from a point, as a series in s; see `addLogarithm`. */
interface LogarithmSeries {
  /** Σ a². */
  readonly squares: number
  /** Above this s the series converges slowly. */
  readonly extent: number
  /** In s: that of a^k / k, signs included. */
  readonly coefficients: Float64Array
  /** What s is multiplied by. */
  readonly unit: number
  readonly spread: number
}

/** With s a at most 0.65 the terms that are left out add less than the last digit. */
const RATIO = 0.65
const TERMS = 96
/** Logarithm of what no sum of doubles notices. */
const UNNOTICED = -42

let known: readonly Float64Array[] | undefined

/** Made when first wanted: most starts of the program want none. */
const binomials = (): readonly Float64Array[] => (known ??= binomialRows())

const binomialRows = (): readonly Float64Array[] => {
  const rows = [Float64Array.of(1)]
  for (let k = 1; k <= TERMS; k += 1) {
    const above = rows[k - 1] ?? Float64Array.of()
    rows.push(Float64Array.from({ length: k + 1 }, (_, j) => (above[j - 1] ?? 0) + (above[j] ?? 0)))
  }
  return rows
}

/** Power sums of the distinct values from place `from` to before `to`, each as often as its count says. */
export const powerSums = (
  { values, counts }: { readonly values: readonly number[]; readonly counts: readonly number[] },
  { from, to, centre }: Pick<PowerSums, 'from' | 'to' | 'centre'>,
): PowerSums => {
  const radius = Math.max(centre - (values[from] ?? centre), (values[to - 1] ?? centre) - centre)
  const sums = new Float64Array(TERMS + 1)
  for (let at = from; at < to; at += 1) {
    const distance = ((values[at] ?? NaN) - centre) / radius
    let power = counts[at] ?? 0
    for (let k = 0; k <= TERMS; k += 1) {
      sums[k] = (sums[k] ?? 0) + power
      power *= distance
    }
  }
  return { from, to, centre, radius, sums }
}

/** The series around `point`, which lies no further from the centre than the radius. */
export const seriesAround = ({ centre, radius, sums }: PowerSums, point: number): LogarithmSeries => {
  const moved = (centre - point) / radius
  const powers = new Float64Array(TERMS + 1)
  powers[0] = 1
  for (let k = 1; k <= TERMS; k += 1) powers[k] = (powers[k - 1] ?? 0) * moved
  const coefficients = new Float64Array(TERMS + 1)
  const rows = binomials()
  for (let k = 1; k <= TERMS; k += 1) {
    const row = rows[k] ?? sums
    let sum = 0
    for (let j = 0; j <= k; j += 1) sum += (row[j] ?? 0) * (sums[j] ?? 0) * (powers[k - j] ?? 0)
    // i^(k−1) (−1)^(k+1): + for the first two powers, − for the next two.
    coefficients[k] = ((k - 1) % 4 < 2 ? sum : -sum) / k
  }
  const spread = radius * (1 + Math.abs(moved))
  return {
    squares: 2 * (coefficients[2] ?? 0) * radius * radius,
    extent: RATIO / spread,
    coefficients,
    unit: radius,
    spread,
  }
}

/** Adds the series' angle and logarithm of size at s, which is at most the reach. */
export const addLogarithm = (
  { coefficients, unit, spread }: LogarithmSeries,
  s: number,
  into: Float64Array,
): void => {
  const terms = Math.min(TERMS, 2 * Math.ceil(UNNOTICED / Math.log(s * spread) / 2))
  const x = s * unit
  const square = x * x
  let [odd, even] = [0, 0]
  for (let k = terms; k > 0; k -= 2) {
    even = even * square + (coefficients[k] ?? 0)
    odd = odd * square + (coefficients[k - 1] ?? 0)
  }
  into[0] = (into[0] ?? 0) + odd * x
  into[1] = (into[1] ?? 0) + even * square
}
