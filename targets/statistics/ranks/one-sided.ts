/** A claim that a model is better than another, with its one-sided p. */
export interface OrderClaim {
  readonly better: number
  readonly worse: number
  readonly p: number
}

/** Half of a pair's two-sided p on the side of its estimate, and the rest on the other. */
export const oneSided = (p: number, isOnSide: boolean): number => (isOnSide ? p / 2 : 1 - p / 2)

/** Both claims of a pair of models. */
export const claimsOf = (
  a: number,
  b: number,
  difference: number,
  p: number,
): readonly [OrderClaim, OrderClaim] => [
  { better: a, worse: b, p: oneSided(p, difference >= 0) },
  { better: b, worse: a, p: oneSided(p, difference < 0) },
]
