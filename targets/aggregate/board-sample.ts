import { clusterInterval, clusterMean, type ClusterMean } from '../statistics/cluster-mean.ts'
import { Moments } from '../statistics/moments.ts'
import type { Interval } from '../statistics/interval.ts'
import { tInterval } from '../statistics/t-interval.ts'
import { wilson } from '../statistics/intervals/wilson.ts'
import type { PerInstanceStats } from '../record/stat.ts'
import type { InstanceVector } from './instance-vector.ts'

/** A run's values of one metric, summed up over its instances. */
export interface Sample {
  /** Requests (instances × trials) that have a value. */
  readonly measured: number
  /** Instances that have a value. Trials of one instance are no independent draws: they are averaged first. */
  readonly n: number
  readonly mean: number
  /** With n − 1. */
  readonly sd: number
  /** How many instances are 1, where each is 0 or 1; undefined otherwise. Scores of 1 on a scale to 5 count here, too. */
  readonly ones?: number
  /** Of values that come in clusters; absent where each instance stands for itself. */
  readonly clustered?: Clustered
}

export interface Clustered extends ClusterMean {
  /** What instances of a cluster share: note, patient. */
  readonly by: string
}

/** What a board takes of a run's values. */
export interface Sampled {
  readonly sample: Sample
  /** Requests of other splits, which the metric is not asked of. */
  readonly elsewhere: number
  readonly vector: InstanceVector
}

/** What is read of an element of per_instance_stats.json. */
type Values = {
  readonly instanceId: PerInstanceStats['instanceId']
  readonly trainTrialIndex: number
  readonly stats: readonly {
    readonly name: { readonly name: string; readonly split?: string; readonly perturbation?: object }
    readonly count: number
    readonly sum: number
  }[]
}

/** Gathers a metric's values as they stream by. */
export class SampleCollector {
  private readonly metric: { readonly name: string; readonly split: string }
  private readonly sums = new Map<string | number, { sum: number; count: number }>()
  private readonly otherSplits = new Set<string>()
  private measured = 0

  constructor(metric: { readonly name: string; readonly split: string }) {
    this.metric = metric
  }

  add({ instanceId, trainTrialIndex, stats }: Values): void {
    for (const { name, count, sum } of stats) {
      if (name.split !== undefined && name.split !== this.metric.split)
        this.otherSplits.add(`${trainTrialIndex} ${instanceId}`)
      else if (name.name === this.metric.name && name.perturbation === undefined && count > 0)
        this.take(instanceId, sum / count)
    }
  }

  result(): Sampled {
    const moments = new Moments()
    const values = Float64Array.from(this.sums.values(), ({ sum, count }) => sum / count)
    let ones: number | undefined = 0
    for (const value of values) {
      moments.add(value)
      ones = ones === undefined || (value !== 0 && value !== 1) ? undefined : ones + value
    }
    return {
      sample: { measured: this.measured, ...moments.summary(), ...(ones === undefined ? {} : { ones }) },
      elsewhere: this.otherSplits.size,
      vector: { ids: Array.from(this.sums.keys(), String), values },
    }
  }

  private take(id: string | number, value: number): void {
    this.measured += 1
    const known = this.sums.get(id)
    if (known === undefined) this.sums.set(id, { sum: value, count: 1 })
    else {
      known.sum += value
      known.count += 1
    }
  }
}

export const sampleOf = (
  values: Iterable<PerInstanceStats>,
  metric: { readonly name: string; readonly split: string },
): Sampled => {
  const collector = new SampleCollector(metric)
  for (const each of values) collector.add(each)
  return collector.result()
}

/** The same sample, its instances no longer taken for independent. Unchanged where the vector tells of no cluster. */
export const clusterSample = (sample: Sample, { values, clusters }: InstanceVector, by: string): Sample => {
  if (clusters === undefined) return sample
  const sums = new Map<string, { sum: number; size: number }>()
  for (const [at, cluster] of clusters.entries()) {
    const known = sums.get(cluster) ?? { sum: 0, size: 0 }
    known.sum += values[at] ?? NaN
    known.size += 1
    sums.set(cluster, known)
  }
  return { ...sample, clustered: { by, ...clusterMean([...sums.values()]) } }
}

/**
 * Wilson's interval for a metric that is 0 or 1 by definition, the t interval otherwise, also where trials average it.
 * Over clusters the t interval; where they don't spread, Wilson's of so many clusters. Undefined where there are too few
 * values.
 */
export const sampleInterval = (
  sample: Sample,
  isBinary: boolean,
  confidence: number,
): Interval | undefined => {
  if (sample.n === 0) return undefined
  const { clustered } = sample
  if (clustered !== undefined) {
    const isFlat = isBinary && clustered.standardError === 0
    return isFlat
      ? wilson(clustered.mean * clustered.clusters, clustered.clusters, confidence)
      : clusterInterval(clustered, confidence)
  }
  return !isBinary || sample.ones === undefined
    ? tInterval(sample, confidence)
    : wilson(sample.ones, sample.n, confidence)
}

/** How `sampleInterval` forms it, for readers. */
export const intervalMethod = ({ ones, clustered }: Sample, isBinary: boolean): string => {
  if (clustered === undefined) return isBinary && ones !== undefined ? 'Wilson' : 't'
  const { by, clusters, standardError } = clustered
  return `${isBinary && standardError === 0 ? 'Wilson' : 't'}, clustered by ${by}, ${clusters} clusters`
}
