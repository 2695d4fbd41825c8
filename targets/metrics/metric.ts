import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import type { MetricSet } from '../../benchmarks/scenario/metric-catalog.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { MetricSpec } from '../../benchmarks/scenario/benchmark.ts'
import type { Failure } from '../../cache/outcome.ts'
import type { Profile } from '../profile.ts'
import type { RequestState } from '../record/request-state.ts'
import type { Measure } from '../../benchmarks/scenario/measure.ts'

/** One per-instance value. `value` null is HELM's stat that nothing was added to (count 0). */
export interface MetricPoint {
  readonly name: string
  readonly value: number | null
  /** Python's type of the value: HELM writes a float 1 as `1.0`, an int as `1`. Fractions are always floats. */
  readonly float: boolean
}

/** A part of a metric's input that could not be counted, and why. */
export interface MetricFailure {
  /** E.g. the judge. */
  readonly part: string
  readonly cause: Failure
}

/** What a metric may read of a request state; its cache key holds the digests of exactly these. */
export type MetricPart = 'instance' | 'prompt' | 'completions' | 'annotations' | 'latency'

/**
 * A per-instance metric: a pure function. `version` is raised by hand whenever a value changes;
 * a test compares golden values so that it can't be forgotten.
 */
export interface Metric {
  /** Our id, as `MetricSpec.metric` names it. */
  readonly id: string
  readonly version: string
  /** Who defines it, in which release. */
  readonly source: string
  /** All that it may give, in the order of HELM's schemas. */
  readonly measures: readonly Measure[]
  /** What the record holds beside, of each answer: it is in no file of HELM's. */
  readonly own?: readonly Measure[]
  /** What of its values is added up to stats of a whole split: calibration and perplexity of answers, how many there are, or means cut to 0 … 1 but for
   * those of its first value's name. */
  readonly ofSplit?: 'answers' | 'instances' | 'clipped'
  readonly reads: readonly MetricPart[]
  /** True where the same input has other values under another profile. */
  readonly dialects?: true
  /** What HELM's has and this object does not give, each with its reason. */
  readonly omits?: (spec: MetricSpec) => readonly string[]
  /** Errata that this metric puts right where `spec.corrected` names them. */
  readonly corrects?: readonly string[]
  /** Values of one request state, in HELM's order; as helm-0.5.16 has them without a profile. */
  evaluate(
    state: RequestState,
    spec: MetricSpec,
    adapter: AdapterSpec,
    profile?: Profile,
  ): readonly MetricPoint[]
  /**
   * What could not be counted: `evaluate` leaves it out where HELM would lose the whole run, and gives HELM's value where
   * HELM scores what is no measurement. Absent: nothing ever.
   */
  failures?(state: RequestState, spec: MetricSpec, profile?: Profile): readonly MetricFailure[]
}

/** Arguments of a metric object. */
export type MetricArguments = ReadonlyMap<string, PyValue>

/** Why a measure leads its run where no declaration says which does; the first of these wins. */
export const LEADS = [
  'judged',
  'made for the benchmark',
  'compared with references',
  'a text beside others',
] as const

/** The measure that leads a run. */
export interface Lead {
  readonly as: (typeof LEADS)[number]
  /** Undefined where the arguments name none. */
  readonly name: (args: MetricArguments) => string | undefined
}

/** One of ours, with all that catalog, boards, schemas, forms and documents say of it. */
export interface BuiltInMetric extends Metric {
  /** HELM's class, behind `helm.benchmark.metrics.`. */
  readonly className: string
  /** The names by which declarations ask for it; its id where absent. */
  readonly sets?: readonly MetricSet[]
  /** Null where none of its measures says how good an answer is. */
  readonly lead: Lead | null
  /** The measures of a run whose metric object has these arguments; all where absent. */
  readonly given?: (args: MetricArguments) => readonly Measure[]
  /** What HELM's generated schemas describe of its class, where that is not what it gives. */
  readonly described?: readonly Measure[]
}

/** The metric object of a run spec, as HELM names it. */
export const metricObject = (
  { id, className }: Pick<BuiltInMetric, 'id' | 'className'>,
  args: Readonly<Record<string, PyValue>> = {},
): MetricSpec => ({
  metric: id,
  helm: { className: `helm.benchmark.metrics.${className}`, args: new Map(Object.entries(args)) },
})
