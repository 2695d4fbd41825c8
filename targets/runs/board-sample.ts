import { valueOf, type InstanceValues } from '../record/coverage.ts'
import {
  meanInterval,
  type MeanFound,
  type MeasuredSample,
  type MetricScale,
} from '../statistics/intervals/mean-interval.ts'
import { atEnd, CONFIDENCE } from '../statistics/scale.ts'
import type { AskedInstances } from '../walk/asked-instances.ts'
import { rowsOf, type InstanceVector, SUB_SPLIT, type InstanceGroups } from './instance-vector.ts'

/** A run's values of one metric, in sum. */
export interface Sample {
  /** Requests (instances × trials) that have a value, HELM's defaults included. */
  readonly requests: number
  /** Over instances that could be read in full. */
  readonly found: MeanFound
}

/** What a board takes of a run's values. */
export interface Sampled {
  readonly requests: number
  /** Requests whose value is no number. */
  readonly unusable: number
  /** Requests of other splits, which the metric is not asked of. */
  readonly elsewhere: number
  readonly vector: InstanceVector
}

/** Gathers a metric's values as they stream by. */
export class SampleCollector {
  private readonly metric: { readonly name: string; readonly split: string }
  private readonly sums = new Map<string | number, { sum: number; count: number }>()
  private readonly otherSplits = new Set<string>()
  private readonly subSplits = new Map<string, string>()
  private unusable = 0
  private requests = 0

  constructor(metric: { readonly name: string; readonly split: string }) {
    this.metric = metric
  }

  add({ instanceId, trainTrialIndex, stats }: InstanceValues): void {
    for (const stat of stats) {
      const [{ name }, value] = [stat, valueOf(stat)]
      if (name.split !== undefined && name.split !== this.metric.split)
        this.otherSplits.add(`${trainTrialIndex} ${instanceId}`)
      else if (name.name === this.metric.name && name.perturbation === undefined && value !== undefined) {
        this.take(instanceId, value)
        if (name.subSplit !== undefined) this.subSplits.set(String(instanceId), name.subSplit)
      }
    }
  }

  /** @param asked absent where nobody tells what was asked: what there is counts as all */
  result(asked?: AskedInstances): Sampled {
    const ids = [...new Set([...Array.from(this.sums.keys(), String), ...(asked?.ids ?? [])])]
    const known = new Map(Array.from(this.sums, ([id, sum]) => [String(id), sum] as const))
    const values = Float64Array.from(ids, (id) => {
      const { sum, count } = known.get(id) ?? { sum: NaN, count: 0 }
      const isWhole = count >= (asked?.trials ?? 1) && asked?.unread.has(id) !== true
      return isWhole ? sum / count : NaN
    })
    return {
      requests: this.requests - this.unusable,
      unusable: this.unusable,
      elsewhere: this.otherSplits.size,
      vector: { ids, values },
    }
  }

  /** The sub-splits that files of HELM's tell of the instances that have a value. */
  groups(): InstanceGroups {
    return new Map([...this.subSplits].map(([id, subSplit]) => [id, { [SUB_SPLIT]: subSplit }]))
  }

  private take(id: string | number, value: number): void {
    this.requests += 1
    if (Number.isNaN(value)) this.unusable += 1
    const known = this.sums.get(id)
    if (known === undefined) this.sums.set(id, { sum: value, count: 1 })
    else {
      known.sum += value
      known.count += 1
    }
  }
}

export const sampleOf = (
  values: Iterable<InstanceValues>,
  metric: { readonly name: string; readonly split: string },
  asked?: AskedInstances,
): Sampled => {
  const collector = new SampleCollector(metric)
  for (const each of values) collector.add(each)
  return collector.result(asked)
}

/**
 * The vector's values on the metric's scale, and their mean over instances, which may share sources, with its interval.
 * @param trials of each instance
 */
export const summarized = (
  { requests, vector }: Pick<Sampled, 'requests' | 'vector'>,
  metric: MetricScale,
  trials: number,
): { readonly sample: Sample; readonly vector: InstanceVector } => {
  const own = {
    ...vector,
    values: vector.values.map((value) => atEnd(value, metric.range)),
    ...(trials > 1 && { areMeans: true }),
  }
  return {
    sample: { requests, found: meanInterval([measuredSample(own, vector.clusters)], metric, CONFIDENCE) },
    vector: own,
  }
}

/** @param sources of the instances; absent where each stands for itself */
const measuredSample = (
  { values, areMeans = false }: Pick<InstanceVector, 'values' | 'areMeans'>,
  sources?: readonly string[],
): MeasuredSample => ({ values, areMeans, ...(sources && { sources }) })

/** Of a cell's runs together; undefined where the values of one are not at hand. */
export const joined = (
  vectors: readonly (InstanceVector | undefined)[],
  metric: MetricScale,
): MeanFound | undefined => {
  const known = vectors.filter((vector) => vector !== undefined)
  return known.length < vectors.length
    ? undefined
    : meanInterval(
        known.map((vector) => measuredSample(vector, rowsOf(vector))),
        metric,
        CONFIDENCE,
      )
}
