/** Of a score: what adding up in another order may turn of it. */
const LAST_DIGITS = 1e-12

/** The score whose digits `score` takes: the first of `known` that it equals but for the order of a sum, else itself. */
export const tiedScore = (score: number, known: readonly (number | null | undefined)[]): number =>
  known.find(
    (other) => typeof other === 'number' && Math.abs(other - score) <= LAST_DIGITS * Math.abs(score),
  ) ?? score
