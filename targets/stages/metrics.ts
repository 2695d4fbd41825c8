import { remembered } from '../../cache/once.ts'
import { asJson, storedShape } from '../../cache/stored-shape.ts'
import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import type { MetricSpec } from '../../benchmarks/scenario/benchmark.ts'
import { digestOf, type Digest, keyTemplate, type KeyTemplate } from '../../cache/values/digest.ts'
import type { Json } from '../../cache/values/json.ts'
import type { Store } from '../../cache/store.ts'
import {
  InstanceProblem,
  type Metric,
  type MetricFailure,
  type MetricPart,
  type MetricPoint,
} from '../metrics/metric.ts'
import type { RequestState } from '../record/request-state.ts'
import { metricKey } from '../keys/keys.ts'
import type { StageEnv } from '../env/env.ts'

/** Digests of what a metric may read. */
export type MetricDigests = Readonly<Record<MetricPart, string>>

export interface MeasuredPoints {
  readonly points: readonly MetricPoint[]
  /** Parts that gave no value, such as a judge whose score is no number. */
  readonly failures: readonly MetricFailure[]
}

export interface MetricResult extends MeasuredPoints {
  readonly digest: Digest<'metric'>
  readonly cached: boolean
}

/** One metric object of a run over its instances. */
export interface MetricStage {
  readonly reads: readonly MetricPart[]
  /** `state` is built only on a miss. */
  run(digests: MetricDigests, state: () => RequestState): Promise<MetricResult>
  /** Where the values of these inputs are, and whether they are there. */
  peek(digests: MetricDigests): Pick<MetricResult, 'digest' | 'cached'>
  load(digest: Digest<'metric'>): MeasuredPoints | undefined
}

export const createMetricStage = (
  metric: Metric,
  spec: MetricSpec,
  adapter: AdapterSpec,
  { store, bertScorer, profile }: Pick<StageEnv, 'store' | 'bertScorer' | 'profile'>,
): MetricStage => {
  const key: KeyTemplate<MetricPart, 'metric'> = keyTemplate(
    metricKey(metric, spec, adapter, profile),
    metric.reads,
  )
  const load = (digest: Digest<'metric'>): MeasuredPoints | undefined => {
    const stored = packedPoints(store.get('metrics', digest))
    return stored === undefined ? undefined : unpack(stored, store)
  }
  return {
    reads: metric.reads,
    load,
    peek: (digests) => {
      const digest = key.digest(digests)
      return { digest, cached: store.has('metrics', digest) }
    },
    run: async (digests, state) => {
      const digest = key.digest(digests)
      const known = load(digest)
      if (known !== undefined) return { digest, ...known, cached: true }
      const measured = await measureOr(metric.id, async () => {
        const more = await bertScores(spec, state, bertScorer)
        return {
          points: [...metric.evaluate(state(), spec, adapter, profile), ...more.points],
          failures: [...(metric.failures?.(state(), spec, profile) ?? []), ...more.failures],
        }
      })
      await store.put('metrics', digest, await pack(measured, store))
      return { digest, ...measured, cached: false }
    },
  }
}

/** An instance that can't be measured has no values and a failure. */
const measureOr = async (part: string, measure: () => Promise<MeasuredPoints>): Promise<MeasuredPoints> => {
  try {
    return await measure()
  } catch (error) {
    if (!(error instanceof InstanceProblem)) throw error
    const { code, message: detail } = error.problem
    return { points: [], failures: [{ part, cause: { code, detail } }] }
  }
}

/** What an encoder adds to the metric's own values. */
const bertScores = async (
  spec: MetricSpec,
  state: () => RequestState,
  scorer: StageEnv['bertScorer'],
): Promise<MeasuredPoints> => {
  if (spec.bertScore === undefined || scorer === undefined) return { points: [], failures: [] }
  const { scoreSummary } = await import('../metrics/bert-score/score-summary.ts')
  return scoreSummary(state(), await scorer())
}

/**
 * Values without their names: nearly all instances of a run have the same names, kept once under their own digest.
 * An int is stored as a number, a float as `[number]`, a stat that nothing was added to as null.
 */
interface PackedPoints {
  readonly names: string
  readonly values: readonly (number | readonly [number] | null)[]
  readonly failures?: readonly MetricFailure[]
}

const packedPoints = storedShape<PackedPoints>('the values of a metric', { names: 'text', values: 'list' })

const NAMES = 'names-'

/** Where a store keeps the names of values: results of all runs share them. */
export const pointNames = (store: Store): readonly string[] =>
  Array.from(store.entries('metrics'), ({ id }) => id).filter(isPointNames)

/** Whether a place of the table `metrics` holds names. */
export const isPointNames = (id: string): boolean => id.startsWith(NAMES)

/** Ids of the names that a store holds, by the names. */
const written = new WeakMap<Store, Map<string, string>>()

const pack = async ({ points, failures }: MeasuredPoints, store: Store): Promise<Json> => {
  const known = remembered(written, store, () => new Map())
  const names = points.map(({ name }) => name)
  const joined = names.join('\n')
  const id = known.get(joined) ?? `${NAMES}${digestOf<'text'>(joined)}`
  if (!known.has(joined)) {
    if (!store.has('metrics', id)) await store.put('metrics', id, names)
    known.set(joined, id)
  }
  const values = points.map(({ value, float }) => (value !== null && float ? [value] : value))
  return failures.length === 0 ? { names: id, values } : { names: id, values, failures: asJson(failures) }
}

const unpack = ({ names: id, values, failures }: PackedPoints, store: Store): MeasuredPoints | undefined => {
  const points = namesOf(id, store)?.map((name, index): MetricPoint => {
    const value = values[index] ?? null
    return typeof value === 'number' || value === null
      ? { name, value, float: false }
      : { name, value: value[0], float: true }
  })
  return points === undefined ? undefined : { points, failures: failures ?? [] }
}

const read = new WeakMap<Store, Map<string, readonly string[]>>()

const namesOf = (id: string, store: Store): readonly string[] | undefined => {
  const known = remembered(read, store, () => new Map())
  const found = known.get(id) ?? (store.get('metrics', id) as readonly string[] | undefined)
  if (found !== undefined) known.set(id, found)
  return found
}
