import { ProblemError } from '../../../cache/problems/problem.ts'
import type { StatName, Stat } from '../../record/stat.ts'
import type { Confidence } from '../../statistics/confidence/calibration-error.ts'
import { calibrationStats, type CalibrationStats } from './calibration-stats.ts'
import { type Metric, type MetricPoint, floatPoint } from '../metric.ts'
import { square } from '../../../benchmarks/python/numbers/power.ts'
import { exactMean } from '../../statistics/exact-sum.ts'
import { randomKey, RandomStream } from '../../statistics/resampling/random-stream.ts'

/** The part of an instance that its stats' names carry. */
export interface SplitContext {
  readonly split?: string
  readonly subSplit?: string
}

export type NamedTally = readonly [name: StatName, tally: Tally]

interface Row {
  readonly name: StatName
  readonly tally: Tally
  /** One by one, where the stat is more than a mean. */
  readonly values: number[]
  /** The instance that was added last. */
  lastInstance: number
}

/** Stats of one split, by metric name. */
interface Group {
  readonly context: SplitContext
  readonly rows: Map<string, Row>
  instances: number
  /** A completion was less than certain, which makes HELM add calibration stats. */
  uncertain: boolean
  /** Of the instances that `exact_match` was computed of. */
  readonly confidences: Confidence[]
}

const ROBUSTNESS = { name: 'robustness', robustness: true, fairness: false, computedOn: 'worst' } as const
const FAIRNESS = { name: 'fairness', robustness: false, fairness: true, computedOn: 'worst' } as const

const named = (context: SplitContext, { name, value, float }: MetricPoint): NamedTally => {
  const tally = new Tally()
  tally.add(value, float)
  return [{ name, ...context }, tally]
}

/** Undefined where no exact match says whether the answer was right. */
const confidenceOf = (points: readonly MetricPoint[]): Confidence | undefined => {
  const valueOf = (wanted: string): number | null | undefined =>
    points.find(({ name }) => name === wanted)?.value
  const [probability, correct] = [valueOf('max_prob'), valueOf('exact_match')]
  return typeof probability === 'number' && typeof correct === 'number'
    ? { probability, correct: correct === 1 }
    : undefined
}

const repeatedName = (name: string): ProblemError =>
  new ProblemError({
    code: 'targets/repeated-metric-name',
    message: `a metric gives ${JSON.stringify(name)} twice for one instance`,
    where: { field: 'names' },
    remedy: 'List every metric name once.',
  })

/** A score of HealthBench: the run's own mean stays as it is, those that the authors give are cut to 0 … 1. */
const clippedStats = (own: string, { name, tally, values }: Row): readonly NamedTally[] => {
  if (name.name === own || name.name.startsWith(`${own}:`) || values.length === 0) return [[name, tally]]
  const { mean, bootstrapStd } = clippedMean(values, name.name)
  const { name: stat, ...context } = name
  return [
    named(context, floatPoint(stat, mean)),
    named(context, floatPoint(`${stat}:bootstrap_std`, bootstrapStd)),
  ]
}

/** Sums of one metric object over the instances of one trial: HELM's trial stats (HELM.md T15). */
export class TrialSums {
  private readonly ofSplit: Metric['ofSplit']
  private readonly groups = new Map<string, Group>()
  /** In order of first appearance, over all splits. */
  private readonly rows: Row[] = []
  /** In order of their first value: HELM orders worst cases so, which differs where a stat begins empty. */
  private readonly valued: Row[] = []

  constructor({ ofSplit }: Pick<Metric, 'ofSplit'>) {
    this.ofSplit = ofSplit
  }

  /** @param instance number of the instance within the trial */
  add(context: SplitContext, instance: number, points: readonly MetricPoint[]): void {
    const group = this.group(context)
    group.instances++
    for (const { name, value, float } of points) {
      const row = this.row(group, name)
      if (row.lastInstance === instance) throw repeatedName(name)
      row.lastInstance = instance
      if (row.tally.count === 0 && value !== null) this.valued.push(row)
      row.tally.add(value, float)
      if (this.ofSplit === 'clipped' && value !== null) row.values.push(value)
      if (name === 'logprob' && value !== null && value < 0) group.uncertain = true
    }
    const confidence = this.ofSplit === 'answers' ? confidenceOf(points) : undefined
    if (confidence !== undefined) group.confidences.push(confidence)
  }

  /** The trial's stats in HELM's order: plain, derived, calibration, worst cases. */
  stats(): readonly NamedTally[] {
    if (this.ofSplit === 'instances') return this.instanceCounts()
    if (this.ofSplit === 'clipped') return this.clipped()
    return [
      ...this.rows.map(({ name, tally }): NamedTally => [name, tally]),
      ...this.derived(),
      ...this.calibration().flatMap(([context, { points }]) => points.map((point) => named(context, point))),
      // Nothing perturbs the instances, so the worst case over perturbations is the value itself.
      ...this.valued.flatMap(({ name, tally }): NamedTally[] => [
        [{ ...name, perturbation: ROBUSTNESS }, tally],
        [{ ...name, perturbation: FAIRNESS }, tally],
      ]),
    ]
  }

  /** Splits whose confidences no finite scaling fits: HELM's would be whatever its optimiser stops at. */
  unscaled(): readonly SplitContext[] {
    return this.calibration().flatMap(([context, { hasScaling }]) => (hasScaling ? [] : [context]))
  }

  private calibration(): readonly (readonly [SplitContext, CalibrationStats])[] {
    return [...this.groups.values()]
      .filter(({ uncertain }) => uncertain && this.ofSplit === 'answers')
      .map(({ context, confidences }) => [context, calibrationStats(confidences)])
  }

  /** The run's own score is the first that each instance gives. */
  private clipped(): readonly NamedTally[] {
    const own = this.rows[0]?.name.name ?? ''
    return this.rows.flatMap((row) => clippedStats(own, row))
  }

  private derived(): readonly NamedTally[] {
    if (this.ofSplit !== 'answers') return []
    return [...this.groups.values()].flatMap(({ context, rows }) =>
      languageModelStats((name) => rows.get(name)?.tally.sum).map((point) => named(context, point)),
    )
  }

  private instanceCounts(): readonly NamedTally[] {
    return [...this.groups.values()].map(({ context, instances }) =>
      named(context, { name: 'num_instances', value: instances, float: false }),
    )
  }

  private group(context: SplitContext): Group {
    const key = `${context.split ?? ''}\0${context.subSplit ?? ''}`
    let group = this.groups.get(key)
    if (group === undefined) {
      group = { context, rows: new Map(), instances: 0, uncertain: false, confidences: [] }
      this.groups.set(key, group)
    }
    return group
  }

  private row(group: Group, name: string): Row {
    let row = group.rows.get(name)
    if (row === undefined) {
      row = { name: { name, ...group.context }, tally: new Tally(), values: [], lastInstance: -1 }
      group.rows.set(name, row)
      this.rows.push(row)
    }
    return row
  }
}

/** Sum of a per-instance stat over the instances of a split; undefined when the stat is not there. */
type SumOf = (name: string) => number | undefined

/**
 * Stats of a whole split that HELM derives from sums over its instances (HELM.md T19): perplexity (≥ 1, lower is
 * better), bits_per_byte (≥ 0, lower is better) and logprob_per_byte (nats, ≤ 0, higher is better).
 * There are none without tokens. Perplexity may differ from HELM's in the last bit: powers of e are not the same in
 * V8 and glibc (HELM.md T19).
 */
const languageModelStats = (sumOf: SumOf): readonly MetricPoint[] => {
  const logprob = sumOf('logprob') ?? 0
  const tokens = sumOf('num_perplexity_tokens') ?? 0
  const bytes = sumOf('num_bytes') ?? 0
  const points: MetricPoint[] = []
  if (tokens > 0) points.push(floatPoint('perplexity', Math.E ** (-logprob / tokens)))
  if (bytes > 0) {
    // From 0, since Python has no negative zero among its ints.
    points.push(floatPoint('bits_per_byte', (0 - logprob) / bytes / Math.LN2))
    points.push(floatPoint('logprob_per_byte', logprob / bytes))
  }
  return points
}

/**
 * A HELM Stat while it is added to (HELM.md T15): sums only, so that it is as small after a million values as
 * after one. Python's types are kept: ints stay ints until the first float.
 */
export class Tally {
  count = 0
  sum = 0
  private sumSquared = 0
  private min = Number.POSITIVE_INFINITY
  private max = Number.NEGATIVE_INFINITY
  private float = false

  /** Adds a value. Null is a stat that the metric named without a value: nothing is added. */
  add(value: number | null, float: boolean): void {
    if (value === null) return
    this.count++
    this.sum += value
    this.sumSquared += value * value
    this.widen(value, value)
    if (float) this.float = true
  }

  /** Adds all that another tally was given. */
  merge(other: Tally): void {
    this.count += other.count
    this.sum += other.sum
    this.sumSquared += other.sumSquared
    this.widen(other.min, other.max)
    if (other.float) this.float = true
  }

  /** A tally of one value, the mean of this one; an empty one stays empty. */
  takeMean(): Tally {
    const mean = new Tally()
    if (this.count > 0) mean.add(this.sum / this.count, true)
    return mean
  }

  /** The Stat under a name. Variance and standard deviation are those of the whole population. */
  stat(name: StatName): Stat {
    const { count, sum, sumSquared, float } = this
    if (count === 0) return { name, count, sum, sumSquared, float }
    const mean = sum / count
    const variance = sumSquared / count - square(mean)
    const spread =
      variance < 0
        ? { variance: 0, varianceIsInt: true, stddev: 0 }
        : { variance, stddev: Math.sqrt(variance) }
    return { name, count, sum, sumSquared, min: this.min, max: this.max, mean, ...spread, float }
  }

  private widen(low: number, high: number): void {
    if (low < this.min) this.min = low
    if (high > this.max) this.max = high
  }
}

/** A mean cut to 0 … 1 after it was formed, and the standard error that goes with it. */
interface ClippedMean {
  readonly mean: number
  /** Deviation of the cut means of resamples, divisor the draws. */
  readonly bootstrapStd: number
}

const DRAWS = 1000

/** Standard errors from either end beyond which no resample's mean is cut. */
const FAR = 6

/**
 * As HealthBench's authors sum up: the mean over examples, cut to 0 … 1 only then. The bootstrap's error is that of ever
 * more draws where no resample is cut, else that of 1,000 draws, the same in every process.
 */
export const clippedMean = (values: readonly number[], name: string): ClippedMean => {
  const mean = exactMean(values)
  const error = Math.sqrt(exactMean(values.map((value) => (value - mean) ** 2)) / values.length)
  const isFar = mean - FAR * error >= 0 && mean + FAR * error <= 1
  return { mean: clip(mean), bootstrapStd: isFar ? error : deviation(resampledMeans(values, name)) }
}

const clip = (mean: number): number => Math.min(1, Math.max(0, mean))

const resampledMeans = (values: readonly number[], name: string): readonly number[] => {
  const key = randomKey(`clipped mean ${name}`)
  return Array.from({ length: DRAWS }, (_, draw) => {
    const stream = new RandomStream(key, draw)
    let sum = 0
    for (let drawn = 0; drawn < values.length; drawn += 1) sum += values[stream.below(values.length)] ?? 0
    return clip(sum / values.length)
  })
}

const deviation = (means: readonly number[]): number => {
  const mean = exactMean(means)
  return Math.sqrt(exactMean(means.map((each) => (each - mean) ** 2)))
}
