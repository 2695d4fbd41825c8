import type { BenchmarkSummary } from '../../../benchmarks/lookup/list.ts'
import { digestJson } from '../../../cache/values/digest.ts'
import type { Json, JsonObject } from '../../../cache/values/json.ts'
import type { BoardAccess } from '../../../targets/access/suppress-small.ts'
import type { MetricSpec } from '../../../benchmarks/scenario/benchmark.ts'
import { METRIC_IDS, metricFor } from '../../../targets/metrics/catalog.ts'
import type { Measure } from '../../../benchmarks/scenario/metric-code.ts'

const DECLARED = [
  'category',
  'subcategory',
  'taxonomy',
  'homepage',
  'size',
  'licence',
  'contact',
  'checked',
  'citation',
  'errata',
] as const

/** What a declaration says for readers; no result depends on it. */
export type DeclaredAbout = Pick<BenchmarkSummary, (typeof DECLARED)[number]>

/** What a page tells of a benchmark besides its results: plain JSON. */
export interface BenchmarkAbout {
  /** Its name on the board. */
  readonly benchmark: string
  readonly declared?: Omit<DeclaredAbout, 'errata'>
  readonly errata: readonly ShownErratum[]
  /** What its runs asked: an entry for each different data, protocol or arguments. */
  readonly data: readonly DataIdentity[]
  readonly jury?: ShownJury
  readonly measures: readonly ShownMeasure[]
  /** Digests of the workspace's own metrics and annotators, sorted. */
  readonly code: readonly string[]
}

export interface ShownErratum {
  readonly id: string
  readonly about: string
  readonly source?: string
  /** How a run that corrects errata puts it right; absent where nothing does. */
  readonly correction?: string
  /** Runs of the board that put it right, of all. */
  readonly corrected: number
  readonly runs: number
}

interface DataIdentity {
  /** Of all that decides the instances: data, protocol, arguments, errata. */
  readonly digest: string
  /** The same in parts, label and value; of other than public benchmarks no argument is told. */
  readonly parts: readonly (readonly [label: string, value: string])[]
}

export interface ShownJury {
  readonly criteria: readonly string[]
  readonly scale: { readonly least: number; readonly most: number }
  readonly judges: readonly {
    readonly name: string
    readonly deployment: string
    /** What its server is asked for. */
    readonly modelString: string
  }[]
  /** Null where it may not be shown. */
  readonly rubric: string | null
  readonly digest: string
}

export interface ShownMeasure extends Measure {
  readonly version: string
  readonly source: string
}

/** What is known of a run's benchmark. */
export interface DescribedTarget {
  /** The benchmark's name on the board. */
  readonly benchmark: string
  readonly access: BoardAccess
  readonly declared: DeclaredAbout | undefined
  /** Key of its instances. */
  readonly identity: JsonObject
  /** Errata that it puts right. */
  readonly corrected: readonly string[]
  readonly jury: ShownJury | undefined
  readonly metrics: readonly Pick<MetricSpec, 'metric' | 'code'>[]
  /** Digests of the workspace's own metrics and annotators. */
  readonly code: readonly string[]
}

/** One entry a benchmark, in the order in which the runs first name them. */
export const aboutBenchmarks = (runs: readonly DescribedTarget[]): readonly BenchmarkAbout[] => {
  const names = [...new Set(runs.map(({ benchmark }) => benchmark))]
  return names.map((name) => aboutOne(runs.filter(({ benchmark }) => benchmark === name)))
}

const aboutOne = (runs: readonly DescribedTarget[]): BenchmarkAbout => {
  const [first] = runs
  if (first === undefined) throw new RangeError('a benchmark is described by its runs')
  const { errata = [], ...declared } = first.declared === undefined ? {} : declaredOf(first.declared)
  const jury = runs.find((run) => run.jury !== undefined)?.jury
  const metrics = [...new Map(runs.flatMap((run) => run.metrics).map((each) => [each.metric, each])).values()]
  return {
    benchmark: first.benchmark,
    ...(first.declared === undefined ? {} : { declared }),
    errata: errata.map((erratum) => ({
      id: erratum.id,
      about: erratum.about,
      ...(erratum.source === undefined ? {} : { source: erratum.source }),
      ...(erratum.correction === undefined ? {} : { correction: erratum.correction.about }),
      corrected: runs.filter((run) => isCorrected(run, erratum.id)).length,
      runs: runs.length,
    })),
    data: identitiesOf(runs),
    ...(jury === undefined ? {} : { jury }),
    measures: metrics.flatMap(measuresOf),
    code: [...new Set(runs.flatMap((run) => run.code))].sort(),
  }
}

/** Nothing else that a summary may hold, such as paths. */
export const declaredOf = (summary: DeclaredAbout): DeclaredAbout =>
  Object.fromEntries(
    DECLARED.flatMap((name) => (summary[name] === undefined ? [] : [[name, summary[name]]])),
  ) as DeclaredAbout

/** The same without ids of instances, which may name a patient. */
export const withoutIds = ({ errata, ...declared }: DeclaredAbout): DeclaredAbout => ({
  ...declared,
  ...(errata && { errata: errata.map(({ drop: _drop, ...erratum }) => erratum) }),
})

/** By the run's own choice, or because its protocol applies it. */
export const isCorrected = (
  { corrected, identity: { errata } }: Pick<DescribedTarget, 'corrected' | 'identity'>,
  id: string,
): boolean => corrected.includes(id) || (Array.isArray(errata) && errata.includes(id))

/** A release does not hold the code of a workspace's metric. */
const measuresOf = (metric: Pick<MetricSpec, 'metric' | 'code'>): readonly ShownMeasure[] => {
  if (metric.code === undefined && !METRIC_IDS.includes(metric.metric)) return []
  const { measures, own = [], version, source } = metricFor(metric)
  return [...measures, ...own].map((measure) => ({ ...measure, version, source }))
}

const identitiesOf = (runs: readonly DescribedTarget[]): readonly DataIdentity[] => {
  const found = new Map<string, DataIdentity>()
  for (const { identity, access } of runs) {
    const digest = digestJson(identity)
    if (!found.has(digest)) found.set(digest, { digest, parts: partsOf(identity, access) })
  }
  return [...found.values()]
}

const HIDDEN: ReadonlySet<string> = new Set(['arguments', 'benchmark', 'mapping', 'errata', 'dropped'])

const partsOf = (identity: JsonObject, access: BoardAccess): DataIdentity['parts'] =>
  Object.entries(identity)
    .filter(([name]) => !HIDDEN.has(name) || (name === 'arguments' && access === 'public'))
    .flatMap(([name, value]) => flatten(name, value))

const flatten = (name: string, value: Json): readonly (readonly [string, string])[] => {
  if (value === null) return []
  if (typeof value !== 'object') return [[name, String(value)]]
  if (Array.isArray(value)) return value.length === 0 ? [] : [[name, value.map(String).join(', ')]]
  return Object.entries(value).flatMap(([key, each]) => flatten(`${name}: ${key}`, each ?? null))
}
