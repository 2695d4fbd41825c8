import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import type { MetricSet, MetricContext } from '../../benchmarks/scenario/metric-catalog.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { MetricSpec } from '../../benchmarks/scenario/benchmark.ts'
import { type Failure, ProblemError, type Problem } from '../../cache/problems/problem.ts'
import type { Profile } from '../profile.ts'
import type { RequestState, HelmCompletion } from '../record/request-state.ts'
import type { Measure } from '../../benchmarks/scenario/metric-code.ts'
import { Float } from '../../benchmarks/python/numbers/number.ts'

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

type MetricArguments = ReadonlyMap<string, PyValue>

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

/** What is said of a measure beside its name and scale. */
type About = Pick<Measure, 'displayName' | 'description'> &
  Partial<Omit<Measure, 'name' | 'unit' | 'least' | 'most'>>

type Ends = Pick<Measure, 'least' | 'most'>

const measure = (name: string, unit: string, { least, most }: Ends, about: About): Measure => ({
  name,
  unit,
  least,
  most,
  better: 'neither',
  of: 'instance',
  ...about,
})

/** Wrong or right, no or yes. */
export const flag = (name: string, about: About): Measure =>
  measure(name, '0 or 1', { least: 0, most: 1 }, about)

export const share = (name: string, about: About): Measure =>
  measure(name, 'share', { least: 0, most: 1 }, about)

export const count = (name: string, about: About): Measure => amount('count', name, about)

/** A number in a unit from 0 on. */
export const amount = (unit: string, name: string, about: About): Measure =>
  measure(name, unit, { least: 0, most: null }, about)

/** A number in a unit up to 0. */
export const loss = (unit: string, name: string, about: About): Measure =>
  measure(name, unit, { least: null, most: 0 }, about)

/** A number in a unit that may be anything. */
export const number = (unit: string, name: string, about: About): Measure =>
  measure(name, unit, { least: null, most: null }, about)

const badArgument = ({ helm }: MetricSpec, field: string, wanted: string): ProblemError =>
  new ProblemError({
    code: 'targets/bad-metric-argument',
    message: `${helm.className} needs the argument ${JSON.stringify(field)}: ${wanted}`,
    where: { field },
    remedy: `Give ${field} in the metric's arguments.`,
  })

const isText = (value: PyValue): value is string => typeof value === 'string'

/** A text among a metric's arguments. @throws ProblemError `targets/bad-metric-argument` */
export const textArgument = (spec: MetricSpec, field: string): string => {
  const value = spec.helm.args.get(field)
  if (typeof value !== 'string') throw badArgument(spec, field, 'a text')
  return value
}

/** A list of texts. @throws ProblemError `targets/bad-metric-argument` */
export const textsArgument = (spec: MetricSpec, field: string): readonly string[] => {
  const value = spec.helm.args.get(field)
  if (!Array.isArray(value) || !value.every(isText)) throw badArgument(spec, field, 'a list of texts')
  return value
}

/** An object. @throws ProblemError `targets/bad-metric-argument` */
export const dictArgument = (spec: MetricSpec, field: string): ReadonlyMap<string, PyValue> => {
  const value = spec.helm.args.get(field)
  if (!(value instanceof Map)) throw badArgument(spec, field, 'an object')
  return value
}

/** A number that may be left out. @throws ProblemError `targets/bad-metric-argument` */
export const numberArgument = (spec: MetricSpec, field: string, fallback: Score): Score => {
  const value = spec.helm.args.get(field)
  if (value === undefined) return fallback
  if (value instanceof Float) return { value: value.value, float: true }
  if (typeof value !== 'number') throw badArgument(spec, field, 'a number')
  return { value, float: !Number.isInteger(value) }
}

/** The stat's name, which is the benchmark's choice; undefined where the arguments name none. */
export const statName = (args: MetricArguments): string | undefined => {
  const name = args.get('metric_name')
  return typeof name === 'string' ? name : undefined
}

/** What a metric of a jury is told of it. */
export const juryArguments = (
  { jury, annotatorModels }: MetricContext,
  metric: string,
): Readonly<Record<string, PyValue>> => {
  if (!jury) throw new TypeError(`the metric ${metric} needs a jury`)
  return { metric_name: jury.metric, scenario_name: jury.annotator, annotator_models: annotatorModels }
}

/**
 * One instance can't be measured: its data lacks what the metric compares with, or its answer can't be compared. The
 * originals end their run here; ours records the instance as failed and goes on. Faults of declarations, which every
 * instance would meet, stay plain ProblemErrors.
 */
export class InstanceProblem extends ProblemError {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem)
    this.problem = problem
  }
}

/** An instance's own rubric has nothing that could be earned. */
export const noPoints = (id: string | number): InstanceProblem =>
  new InstanceProblem({
    code: 'targets/no-points',
    message: `the rubric of instance ${JSON.stringify(id)} has no points to reach`,
    remedy: 'Nothing can be scored by it: leave the instance out.',
  })

/** The completion that metrics of one answer read. @throws InstanceProblem `targets/no-completion` */
export const firstCompletion = ({ instance, result }: RequestState): HelmCompletion => {
  const completion = result?.completions[0]
  if (completion !== undefined) return completion
  throw new InstanceProblem({
    code: 'targets/no-completion',
    message: `the model's reply to instance ${JSON.stringify(instance.id)} holds no completion`,
    remedy: 'Ask the model again for this instance.',
  })
}

/** A number with the type that Python holds it in. */
export interface Score {
  readonly value: number
  readonly float: boolean
}

export const intScore = (value: number): Score => ({ value, float: false })
export const floatScore = (value: number): Score => ({ value, float: true })

export const point = (name: string, { value, float }: Score): MetricPoint => ({ name, value, float })
export const intPoint = (name: string, value: number): MetricPoint => ({ name, value, float: false })
export const floatPoint = (name: string, value: number): MetricPoint => ({ name, value, float: true })

/** A stat that HELM names but adds nothing to. */
export const emptyPoint = (name: string): MetricPoint => ({ name, value: null, float: false })
