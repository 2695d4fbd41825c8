import type { Confidence } from './calibration-error.ts'

/** Log odds are scaled and shifted: `1 / (1 + exp(−(coefficient · logit + intercept)))`. */
interface PlattScaling {
  readonly coefficient: number
  readonly intercept: number
}

/** Probabilities are kept so far from 0 and 1. */
const MARGIN = 1e-12
const STEPS = 100
const TOLERANCE = 1e-12

const logit = (probability: number): number => {
  const clipped = Math.min(1 - MARGIN, Math.max(MARGIN, probability))
  return Math.log(clipped / (1 - clipped))
}

const logistic = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))

export const scaled = ({ coefficient, intercept }: PlattScaling, probability: number): number =>
  logistic(coefficient * logit(probability) + intercept)

/**
 * The likeliest scaling (Platt 1999), by Newton's method. Undefined where none is: right and wrong answers do not
 * overlap in confidence, so the likelihood grows without end.
 */
export const plattScaling = (answers: readonly Confidence[]): PlattScaling | undefined => {
  const points = answers.map(({ probability, correct }) => ({ x: logit(probability), correct }))
  if (!overlap(points)) return undefined
  let [coefficient, intercept] = [0, 0]
  for (let step = 0; step < STEPS; step += 1) {
    const [byCoefficient, byIntercept] = newtonStep(points, { coefficient, intercept })
    // Half steps until the likelihood rises keep it from running away.
    let share = 1
    const before = logLikelihood(points, { coefficient, intercept })
    while (
      share > TOLERANCE &&
      logLikelihood(points, {
        coefficient: coefficient + share * byCoefficient,
        intercept: intercept + share * byIntercept,
      }) < before
    )
      share /= 2
    coefficient += share * byCoefficient
    intercept += share * byIntercept
    if (Math.abs(share * byCoefficient) + Math.abs(share * byIntercept) < TOLERANCE) break
  }
  return { coefficient, intercept }
}

interface Point {
  readonly x: number
  readonly correct: boolean
}

/** Each kind has one beyond some other's: only then the likelihood has a peak. */
const overlap = (points: readonly Point[]): boolean => {
  const right = points.filter(({ correct }) => correct).map(({ x }) => x)
  const wrong = points.filter(({ correct }) => !correct).map(({ x }) => x)
  const least = (xs: readonly number[]): number => xs.reduce((low, x) => Math.min(low, x), Infinity)
  const most = (xs: readonly number[]): number => xs.reduce((high, x) => Math.max(high, x), -Infinity)
  return least(right) < most(wrong) && least(wrong) < most(right)
}

/** log(1 / (1 + exp(−z))) for the right, of −z for the wrong, without overflow. */
const logLikelihood = (points: readonly Point[], { coefficient, intercept }: PlattScaling): number =>
  points.reduce((sum, { x, correct }) => {
    const z = (coefficient * x + intercept) * (correct ? 1 : -1)
    return sum + Math.min(z, 0) - Math.log1p(Math.exp(-Math.abs(z)))
  }, 0)

const newtonStep = (points: readonly Point[], { coefficient, intercept }: PlattScaling): [number, number] => {
  let [gradient0, gradient1, curve00, curve01, curve11] = [0, 0, 0, 0, 0]
  for (const { x, correct } of points) {
    const p = logistic(coefficient * x + intercept)
    const rest = (correct ? 1 : 0) - p
    const weight = p * (1 - p)
    gradient0 += rest
    gradient1 += rest * x
    curve00 += weight
    curve01 += weight * x
    curve11 += weight * x * x
  }
  const determinant = curve00 * curve11 - curve01 ** 2
  return [
    (curve00 * gradient1 - curve01 * gradient0) / determinant,
    (curve11 * gradient0 - curve01 * gradient1) / determinant,
  ]
}
