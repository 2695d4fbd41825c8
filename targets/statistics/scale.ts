/** The least and the greatest value that a metric can take, as it declares them. */
export interface Scale {
  readonly low: number
  readonly high: number
}

/** How far apart the ends of a scale are. */
export const rangeOf = ({ low, high }: Scale): number => high - low

/** The value, or the end of the scale that it passed. */
export const withinScale = (value: number, { low, high }: Scale): number =>
  Math.min(high, Math.max(low, value))

/** Of a scale's length: more than single precision leaves of it, less than anybody measures. */
const ROUNDING = 1e-6

/** The value, or the end of the scale that it passed by rounding alone: a cosine of 1.0000001 is 1. What is farther off stays so. */
export const atEnd = (value: number, scale: Scale | undefined): number => {
  if (scale === undefined) return value
  const within = withinScale(value, scale)
  return Math.abs(value - within) <= ROUNDING * rangeOf(scale) ? within : value
}

/** Whether all that could be read lies on it: bounds, Gaffke's limits and shares rest on that. */
export const isOnScale = (values: ArrayLike<number>, { low, high }: Scale): boolean => {
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? NaN
    if (value < low || value > high) return false
  }
  return true
}

/** The same of each side of all pairs of runs. */
export const areOnScale = (
  pairs: readonly { readonly a: ArrayLike<number>; readonly b: ArrayLike<number> }[],
  scale: Scale,
): boolean => pairs.every(({ a, b }) => isOnScale(a, scale) && isOnScale(b, scale))

/** Why nothing is said where one does not. */
export const OFF_SCALE = 'values lie off the scale'

/** Why values are no shares of a scale, or of none that says what is better. */
export const NO_ENDS = 'its scale has no ends'
export const NO_DIRECTION = 'nobody says what is better'

/** Values as shares of the scale, turned so that 1 is best; NaN stays. */
export const sharesOf = (values: ArrayLike<number>, scale: Scale, isLowerBetter: boolean): Float64Array => {
  const shares = new Float64Array(values.length)
  for (let at = 0; at < values.length; at += 1) shares[at] = shareOf(values[at] ?? NaN, scale, isLowerBetter)
  return shares
}

/** A value as a share of the scale, turned so that 1 is best. */
export const shareOf = (value: number, scale: Scale, isLowerBetter: boolean): number =>
  (isLowerBetter ? scale.high - value : value - scale.low) / rangeOf(scale)

/** Every interval that is told holds its figure with this confidence, unless it says another. */
export const CONFIDENCE = 0.95
/** A two-sided p below it, adjusted where several are looked at together, is called a difference. */
export const ALPHA = 0.05

/** Work that stops every few milliseconds, so that a page may draw and listen, or leave it. */
export type Steps<Result> = Generator<void, Result, void>

/** All of it at once. */
export const finish = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/**
 * What an instance's answers were drawn with, whichever model gave them: its source, such as a patient, else the instance
 * itself. No source can have an instance's name.
 */
export const sourceOf = (instance: string, source: string | undefined): string =>
  source === undefined ? `instance ${instance}` : `source ${source}`
