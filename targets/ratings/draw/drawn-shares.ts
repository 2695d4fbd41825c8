import type { Study } from '../study.ts'

/** Shares of a stratum's answers that plans drew, 0 to 1. */
export interface DrawnShares {
  readonly least: number
  readonly most: number
}

/** Draws of whole answers are never quite in proportion: so much between the shares goes without saying. */
const ALIKE = 1.5

export const areUnequal = (shares: readonly number[]): boolean =>
  Math.max(...shares) > ALIKE * Math.min(...shares)

/**
 * Where plans drew unequal shares of some strata, the least and the greatest; undefined else. What is said of the drawn
 * answers, each counting once, is then not said of all.
 * @param benchmark of which; of all unless given
 */
export const unequalShares = (
  studies: readonly Pick<Study, 'frames'>[],
  benchmark?: string,
): DrawnShares | undefined => {
  const shares = studies
    .flatMap(({ frames }) => frames)
    .filter((frame) => benchmark === undefined || frame.benchmark === benchmark)
    .flatMap(({ strata }) => strata)
    .flatMap(({ size, drawn }) => (drawn === 0 ? [] : [drawn / size]))
  return areUnequal(shares) ? { least: Math.min(...shares), most: Math.max(...shares) } : undefined
}
