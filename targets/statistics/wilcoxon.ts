import { normalCdf } from './distributions/normal.ts'
import { averageRanks } from './ranks.ts'

export interface SignedRank {
  /** The smaller one of the rank sums of rises and falls. */
  readonly statistic: number
  /** Two-sided. */
  readonly p: number
}

/** Up to so many differences every way of drawing their signs is counted. */
const EXACT = 50

/**
 * Wilcoxon's signed-rank test of paired differences; differences of 0 are left out. Up to 50 others: the exact
 * distribution given the ranks, shared ones counted as they are; beyond: normal, its variance corrected for ties.
 * Undefined without a difference.
 */
export const wilcoxonSignedRank = (
  differences: readonly number[],
  method: 'auto' | 'exact' | 'normal' = 'auto',
): SignedRank | undefined => {
  const known = differences.filter((difference) => difference !== 0)
  if (known.length === 0) return undefined
  const ranks = averageRanks(known.map(Math.abs))
  const rises = ranks.reduce((sum, rank, index) => sum + ((known[index] ?? 0) > 0 ? rank : 0), 0)
  const statistic = Math.min(rises, (known.length * (known.length + 1)) / 2 - rises)
  const exact = method === 'exact' || (method === 'auto' && known.length <= EXACT)
  return { statistic, p: exact ? exactP(ranks, statistic) : normalP(ranks, statistic) }
}

/** Counts the sign patterns by their rank sum. Mean ranks are halves at worst, so twice a rank is whole. */
const exactP = (ranks: readonly number[], statistic: number): number => {
  const doubled = ranks.map((rank) => Math.round(2 * rank))
  const total = doubled.reduce((sum, rank) => sum + rank, 0)
  let shares = new Float64Array(total + 1)
  shares[0] = 1
  for (const rank of doubled) {
    const next = new Float64Array(total + 1)
    for (let sum = 0; sum <= total; sum += 1)
      next[sum] = ((shares[sum] ?? 0) + (sum >= rank ? (shares[sum - rank] ?? 0) : 0)) / 2
    shares = next
  }
  let tail = 0
  for (let sum = 0; sum <= 2 * statistic; sum += 1) tail += shares[sum] ?? 0
  return Math.min(1, 2 * tail)
}

const normalP = (ranks: readonly number[], statistic: number): number => {
  const n = ranks.length
  const sizes = new Map<number, number>()
  for (const rank of ranks) sizes.set(rank, (sizes.get(rank) ?? 0) + 1)
  const ties = [...sizes.values()].reduce((sum, size) => sum + size ** 3 - size, 0)
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - ties / 48
  return Math.min(1, 2 * normalCdf((statistic - (n * (n + 1)) / 4) / Math.sqrt(variance)))
}
