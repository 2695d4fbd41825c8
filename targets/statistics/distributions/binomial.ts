import { regularizedBeta } from './incomplete-beta.ts'

/** P(X ≤ k) of `n` tries that succeed with `chance`. */
export const binomialCdf = (k: number, n: number, chance: number): number => {
  if (k < 0) return 0
  return k >= n ? 1 : regularizedBeta(1 - chance, chance, n - k, k + 1)
}

/** Counts of successes in `n` tries with the chance of each; those that add nothing to a sum of doubles are left out. */
export const binomialWeights = (
  n: number,
  chance: number,
): readonly { readonly count: number; readonly weight: number }[] => {
  if (chance <= 0) return [{ count: 0, weight: 1 }]
  if (chance >= 1) return [{ count: n, weight: 1 }]
  const odds = chance / (1 - chance)
  const mode = Math.min(n, Math.floor((n + 1) * chance))
  const found = [{ count: mode, weight: 1 }]
  for (let count = mode, weight = 1; count < n && weight > 1e-20; count += 1) {
    weight *= ((n - count) / (count + 1)) * odds
    found.push({ count: count + 1, weight })
  }
  for (let count = mode, weight = 1; count > 0 && weight > 1e-20; count -= 1) {
    weight *= count / (n - count + 1) / odds
    found.push({ count: count - 1, weight })
  }
  const total = found.reduce((sum, { weight }) => sum + weight, 0)
  return found.map(({ count, weight }) => ({ count, weight: weight / total }))
}
