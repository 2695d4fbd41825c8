import { RandomStream } from './random-stream.ts'
import type { Words } from './threefry.ts'

/**
 * A statistic of clusters drawn with replacement, as many as there are, once a resample.
 * Paired by construction: a cluster holds what both models did.
 *
 * @param statistic NaN where a resample has none; such are left out
 * @returns values in the order of the resamples
 */
export const clusterBootstrap = <Cluster>(
  clusters: readonly Cluster[],
  statistic: (drawn: readonly Cluster[]) => number,
  { resamples, key }: { readonly resamples: number; readonly key: Words },
): readonly number[] => {
  const values: number[] = []
  const drawn = [...clusters]
  for (let resample = 0; resample < resamples; resample += 1) {
    const stream = new RandomStream(key, resample)
    for (let place = 0; place < clusters.length; place += 1) {
      const cluster = clusters[stream.below(clusters.length)]
      if (cluster !== undefined) drawn[place] = cluster
    }
    const value = statistic(drawn)
    if (!Number.isNaN(value)) values.push(value)
  }
  return values
}
