import { normalCdf, normalQuantile } from '../../../../targets/statistics/distributions/normal.ts'
import { findRoot } from '../../../../targets/statistics/find-root.ts'
import { rankSetOf, type RankSet } from '../../../../targets/statistics/ranks/rank-sets.ts'

/**
 * Rank sets of independent estimates by the greatest |Z| of a model against all others, in a single step.
 * @param critical of the same standard errors, where they are at hand
 * @returns each model's critical value and marginal set, in the order of the models
 */
export const maxTRankSets = (
  estimates: readonly number[],
  standardErrors: readonly number[],
  confidence: number,
  critical: readonly number[] = criticalValues(standardErrors, confidence),
): { readonly critical: readonly number[]; readonly marginal: readonly RankSet[] } => {
  const marginal = estimates.map((own, model) => {
    const isSure = (difference: number, other: number): boolean =>
      difference >
      (critical[model] ?? NaN) * Math.hypot(standardErrors[model] ?? 0, standardErrors[other] ?? 0)
    const above = estimates.filter((each, other) => other !== model && isSure(each - own, other)).length
    const below = estimates.filter((each, other) => other !== model && isSure(own - each, other)).length
    return rankSetOf(estimates.length, above, below)
  })
  return { critical, marginal }
}

/** What each model's greatest |Z| stays below, in the order of the models: models of one error share it. */
export const criticalValues = (standardErrors: readonly number[], confidence: number): readonly number[] => {
  const known = new Map(
    [...new Set(standardErrors)].map((error) => [
      error,
      criticalOf(standardErrors, standardErrors.indexOf(error), confidence),
    ]),
  )
  return standardErrors.map((error) => known.get(error) ?? NaN)
}

/** Dunnett's two-sided quantile: the rivals' Z share the model's own error in the share λ = s / √(s² + s'²). */
const criticalOf = (standardErrors: readonly number[], model: number, confidence: number): number => {
  const own = standardErrors[model] ?? 0
  const others = standardErrors.filter((_, at) => at !== model).toSorted((a, b) => a - b)
  if (others.length === 0) return 0
  const shared = others.map((other) => (own === 0 && other === 0 ? 0 : own / Math.hypot(own, other)))
  const chance = (critical: number): number => chanceWithin(critical, shared) - confidence
  const one = normalQuantile((1 + confidence) / 2)
  // One rival alone asks for less, all of them independent for no more than Bonferroni's.
  return others.length === 1
    ? one
    : findRoot(chance, one * 0.999, normalQuantile(1 - (1 - confidence) / (2 * others.length)) * 1.001)
}

const SPAN = 9

/** P(all |Z| ≤ critical) by the trapezoidal rule over the shared error, finer than any rival's own. */
const chanceWithin = (critical: number, shared: readonly number[]): number => {
  const owns = shared.map((share) => Math.sqrt(Math.max(1e-8, 1 - share * share)))
  const step = Math.min(1, ...owns) / 4
  let sum = 0
  for (let at = -Math.ceil(SPAN / step); at <= SPAN / step; at += 1) {
    const u = at * step
    let product = Math.exp((-u * u) / 2)
    for (const [other, share] of shared.entries()) {
      const own = owns[other] ?? 1
      product *= normalCdf((critical - share * u) / own) - normalCdf((-critical - share * u) / own)
    }
    sum += product
  }
  return (sum * step) / Math.sqrt(2 * Math.PI)
}
