import { standing } from '../multiple/holm.ts'

/** The least and the greatest rank that a model may hold, 1 the best. */
export type RankSet = readonly [least: number, greatest: number]

/** What is known for sure of others: how many lie above, and how many below. */
export const rankSetOf = (models: number, above: number, below: number): RankSet => [
  1 + above,
  models - below,
]

/** Confidence sets of ranks, in the order of the models. */
export interface RankSets {
  /** Each holds its model's rank with the confidence asked for. */
  readonly marginal: readonly RankSet[]
  /** All hold at once. */
  readonly simultaneous: readonly RankSet[]
  /** By model: those surely above it, which its own set counts. */
  readonly above: readonly (readonly number[])[]
}

/**
 * Confidence sets of ranks from the pairs' own tests (Mogstad, Romano, Shaikh & Wilhelm 2024): one-sided claims that
 * Holm's method lets stand place a model below the ones that are surely above it and above the ones surely below.
 *
 * @param pairOf of two models by how much the first is better, and two-sided p; 1 where it was not tested
 */
export const rankSets = (
  models: number,
  pairOf: (a: number, b: number) => { readonly difference: number; readonly p: number },
  alpha: number,
): RankSets => {
  const places = Array.from({ length: models }, (_, model) => model)
  const claims = places.flatMap((a) =>
    places.slice(a + 1).flatMap((b) => {
      const { difference, p } = pairOf(a, b)
      return claimsOf(a, b, difference, p)
    }),
  )
  const ofModel: OrderClaim[][] = places.map(() => [])
  for (const claim of claims) for (const model of [claim.better, claim.worse]) ofModel[model]?.push(claim)
  const all = new Set(sureOf(claims, alpha))
  const sure = ofModel.map((own) => sureOf(own, alpha))
  const above = (model: number, of: readonly OrderClaim[]): readonly number[] =>
    of.flatMap(({ better, worse }) => (worse === model ? [better] : []))
  const setOf = (model: number, of: readonly OrderClaim[]): RankSet =>
    rankSetOf(models, above(model, of).length, of.filter(({ better }) => better === model).length)
  return {
    marginal: sure.map((of, model) => setOf(model, of)),
    above: sure.map((of, model) => above(model, of).toSorted((a, b) => a - b)),
    simultaneous: ofModel.map((own, model) =>
      setOf(
        model,
        own.filter((claim) => all.has(claim)),
      ),
    ),
  }
}

const sureOf = (claims: readonly OrderClaim[], alpha: number): readonly OrderClaim[] =>
  standing(
    claims.map(({ p }) => p),
    alpha,
  ).flatMap((at) => claims[at] ?? [])

/** A claim that a model is better than another, with its one-sided p. */
interface OrderClaim {
  readonly better: number
  readonly worse: number
  readonly p: number
}

/** Half of a pair's two-sided p on the side of its estimate, and the rest on the other. */
export const oneSided = (p: number, isOnSide: boolean): number => (isOnSide ? p / 2 : 1 - p / 2)

/** Both claims of a pair of models. */
const claimsOf = (a: number, b: number, difference: number, p: number): readonly [OrderClaim, OrderClaim] => [
  { better: a, worse: b, p: oneSided(p, difference >= 0) },
  { better: b, worse: a, p: oneSided(p, difference < 0) },
]
