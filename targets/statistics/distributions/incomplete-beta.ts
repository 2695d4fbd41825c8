/** Lanczos' approximation of ln Γ(x) for x > 0 with g = 7 and nine terms; relative error about 1e-15. */
const LANCZOS_FIRST = 0.99999999999980993
const LANCZOS_REST = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

const logGamma = (x: number): number => {
  const shifted = x - 1
  const base = shifted + 7.5
  const sum = LANCZOS_REST.reduce(
    (total, factor, index) => total + factor / (shifted + index + 1),
    LANCZOS_FIRST,
  )
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum)
}

/** What Stirling's formula z ln z − z + ½ ln(2π / z) leaves of ln Γ(z). */
const stirlingRest = (z: number): number => {
  if (z < 10) return logGamma(z) - (z * Math.log(z) - z + 0.5 * Math.log((2 * Math.PI) / z))
  const square = z * z
  const inner = 1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square
  return (1 / 12 - (1 / 360 - inner / square) / square) / z
}

/** ln of a ratio that is also given as its distance from 1: close to 1 the distance, far below it the ratio has the digits. */
const logOfRatio = (ratio: number, distance: number): number =>
  ratio < 0.5 ? Math.log(ratio) : Math.log1p(distance)

/** x^a y^b / B(a, b). Large terms are cancelled on paper: with counts of 100,000 they would take seven digits along. */
const betaFront = (x: number, y: number, a: number, b: number): number => {
  const off = b * x - a * y
  const power = a * logOfRatio((x * (a + b)) / a, off / a) + b * logOfRatio((y * (a + b)) / b, -off / b)
  const rest = stirlingRest(a + b) - stirlingRest(a) - stirlingRest(b)
  return Math.sqrt((a * b) / (2 * Math.PI * (a + b))) * Math.exp(power + rest)
}

const TINY = 1e-300
const FRACTION_TERMS = 20_000

/** The continued fraction of the incomplete beta function by Lentz's method (DLMF 8.17.22). */
const betaFraction = (x: number, a: number, b: number): number => {
  const away = (value: number): number => (Math.abs(value) < TINY ? TINY : value)
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m < FRACTION_TERMS; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / away(1 + even * d)
    c = away(1 + even / c)
    result *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / away(1 + odd * d)
    c = away(1 + odd / c)
    result *= d * c
    if (Math.abs(d * c - 1) < 1e-16) break
  }
  return result
}

/** The regularized incomplete beta function I_x(a, b); `y` is 1 − x, given apart so that it may be tiny. */
export const regularizedBeta = (x: number, y: number, a: number, b: number): number => {
  if (x <= 0) return 0
  if (y <= 0) return 1
  const front = betaFront(x, y, a, b)
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(y, b, a)) / b
}
