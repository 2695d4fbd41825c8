import type { Interval } from './interval.ts'
import { studentT } from './distributions/student-t.ts'

/** A mean over values that come in clusters. */
export interface ClusterMean {
  readonly n: number
  readonly clusters: number
  readonly mean: number
  /** Clusters drawn, not values; with the factor √(G / (G − 1)). Undefined for fewer than two clusters. */
  readonly standardError?: number
}

/** Sum and count of a cluster's values. */
export interface Cluster {
  readonly sum: number
  readonly size: number
}

/**
 * Mean of all values, each counting the same, and its cluster-robust standard error (CR0 times √(G / (G − 1));
 * Miller 2024, eq. 4). With clusters of one it is the usual standard error.
 */
export const clusterMean = (clusters: readonly Cluster[]): ClusterMean => {
  const n = clusters.reduce((total, { size }) => total + size, 0)
  const mean = clusters.reduce((total, { sum }) => total + sum, 0) / n
  const count = clusters.length
  if (count < 2) return { n, clusters: count, mean }
  const squares = clusters.reduce((total, { sum, size }) => total + (sum - size * mean) ** 2, 0)
  const standardError = Math.sqrt((squares * count) / (count - 1)) / n
  return { n, clusters: count, mean, standardError }
}

/** The t interval of the mean, with one degree of freedom fewer than clusters. Undefined where nothing spreads. */
export const clusterInterval = (
  { mean, clusters, standardError }: ClusterMean,
  confidence: number,
): Interval | undefined => {
  if (standardError === undefined || standardError === 0) return undefined
  const half = studentT(confidence, clusters - 1) * standardError
  return { low: mean - half, high: mean + half }
}
