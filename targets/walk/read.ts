import type { Digest } from '../../cache/digest.ts'
import { LostValueError, type LostValue } from '../../cache/lost-value.ts'
import { envFor } from '../access/restricted-env.ts'
import type { Store } from '../../cache/store.ts'
import { juryReading, storedJudgements } from '../jury/stored-judgements.ts'
import { strictPoints } from '../jury/strict-points.ts'
import { perInstanceStats } from '../metrics/aggregate-run.ts'
import { metricOf } from '../metrics/catalog.ts'
import type { MetricPoint } from '../metrics/metric.ts'
import { requestState } from './walk-request.ts'
import type { Target } from '../record/target.ts'
import { annotationColumns, createAnnotationStage } from '../stages/annotations.ts'
import type { Annotator } from '../stages/annotator.ts'
import { helmRequest } from '../adapters/request.ts'
import type { StageEnv } from '../stages/env.ts'
import {
  chooseInstances,
  instancesKey,
  listInstances,
  loadInstance,
  type InstanceRef,
} from '../stages/instances.ts'
import { createMetricStage } from '../stages/metrics.ts'
import type { Prompt } from '../stages/prompts.ts'
import { answerOf, createReplyReader, type ReplyReader } from '../stages/reply-reader.ts'
import { completionOf, type Completion, type StoredCompletion } from '../record/completion.ts'
import { getRows, type RunRecord } from '../record/record.ts'
import { traceId } from '../record/trace-id.ts'
import type { RequestState } from '../record/request-state.ts'
import type { RowTable } from '../record/rows.ts'
import type { PerInstanceStats } from '../record/stat.ts'

/** A record read back from the store, a request at a time. */
export interface RecordView {
  states(): Iterable<RequestState>
  /** All requests of the first metric object, then of the next, as HELM orders them. */
  perInstanceStats(): Iterable<PerInstanceStats>
  /** Our own values of one of the states, in no file of HELM's: those of the record's `ownStats`. */
  ownPoints(state: RequestState): readonly MetricPoint[]
}

/** @throws LostValueError when the store lost something that the record names */
export const viewRecord = async (
  target: Target,
  { record, digest }: { readonly record: RunRecord; readonly digest: Digest<'record'> },
  shared: StageEnv,
): Promise<RecordView> => {
  const { spec } = target
  const env = await envFor(spec.benchmark, shared)
  const { store } = env
  const rows = getRows(digest, record, store)
  if (rows === undefined) throw lost(record, { table: 'records', id: digest, what: 'rows' })
  if (!store.has('instances', record.instances))
    throw lost(record, { table: 'instances', id: record.instances, what: 'the list of instances' })
  const { refs } = await listInstances(spec.benchmark, await instancesKey(spec.benchmark), env)
  const { evaluated } = chooseInstances(refs, spec.adapter.maxEvalInstances, spec.adapter.evalSplits)
  const metrics = await Promise.all(
    spec.metrics.map(async (metric) =>
      createMetricStage(await metricOf(metric.metric), metric, spec.adapter, env),
    ),
  )
  const reader = await createReplyReader(target.deployment, helmRequest(spec.adapter, ''), env)
  const annotations = await createAnnotationStage(target, env)
  const jury = juryReading(target, record.profile)
  const view: ViewParts = { target, record, rows, evaluated, store, reader, annotations }
  return {
    states: () => statesOf(view),
    ownPoints: (state) =>
      jury === undefined ? [] : strictPoints(storedJudgements(state, jury).map(({ reading }) => reading)),
    perInstanceStats: function* () {
      for (const [index, metric] of metrics.entries()) {
        for (let row = 0; row < rows.length; row += 1) {
          const ref = refAt(row, evaluated)
          const column = rows.columns - metrics.length + index
          const points = rows.get(row, column)
          if (points === undefined) continue
          const values = metric.load(points as Digest<'metric'>)
          if (values === undefined)
            throw lost(record, { table: 'metrics', id: points, what: `the metrics of request ${row + 1}` })
          const stats = perInstanceStats(
            { instance: ref, trainTrialIndex: Math.floor(row / evaluated.length) },
            values.points,
          )
          if (stats !== undefined) yield stats
        }
      }
    },
  }
}

interface ViewParts {
  readonly target: Target
  readonly record: RunRecord
  readonly rows: RowTable
  readonly evaluated: readonly InstanceRef[]
  readonly store: Store
  readonly reader: ReplyReader
  readonly annotations: Annotator | undefined
}

const refAt = (row: number, evaluated: readonly InstanceRef[]): InstanceRef => {
  const ref = evaluated[row % evaluated.length]
  if (ref === undefined) throw new RangeError(`no request ${row}`)
  return ref
}

function* statesOf({
  target,
  record,
  rows,
  evaluated,
  store,
  reader,
  annotations,
}: ViewParts): Iterable<RequestState> {
  const seen = new Set<string>()
  for (let row = 0; row < rows.length; row += 1) {
    const ref = refAt(row, evaluated)
    const request = `of request ${row + 1}`
    const promptDigest = rows.get(row, 0) ?? ''
    const prompt = store.get('prompts', promptDigest) as Prompt | undefined
    if (prompt === undefined)
      throw lost(record, { table: 'prompts', id: promptDigest, what: `the prompt ${request}` })
    const completionDigest = rows.get(row, 1) as Digest<'completion'> | undefined
    const completion = completionDigest && loadCompletion(completionDigest, store)
    if (completionDigest !== undefined && completion === undefined)
      throw lost(record, { table: 'completions', id: completionDigest, what: `the completion ${request}` })
    const instance = loadInstance(ref, store, traceId(record.target))
    const cached = completionDigest !== undefined && seen.has(completionDigest)
    const result = completion && reader.read(completion, cached)
    const digests = Array.from(
      { length: annotationColumns(target) },
      (_, column) => rows.get(row, 2 + column) as Digest<'annotation'> | undefined,
    )
    const missing = digests.find((digest) => digest !== undefined && !store.has('annotations', digest))
    if (missing !== undefined)
      throw lost(record, { table: 'annotations', id: missing, what: `a judgement ${request}` })
    yield requestState({
      target,
      trial: Math.floor(row / evaluated.length),
      instance,
      prompt,
      result,
      annotations:
        result?.kind === 'done' ? annotations?.assemble(instance, answerOf(result), digests) : undefined,
    })
    if (completionDigest !== undefined) seen.add(completionDigest)
  }
}

const loadCompletion = (digest: Digest<'completion'>, store: Store): Completion | undefined => {
  const stored = store.get('completions', digest)
  return stored === undefined ? undefined : completionOf(digest, stored as unknown as StoredCompletion)
}

const lost = ({ name, target }: RunRecord, value: LostValue): LostValueError =>
  new LostValueError({ ...value, what: `${value.what} (${name})`, trace: traceId(target) })
