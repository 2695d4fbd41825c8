import type { Digest } from '../../../cache/values/digest.ts'
import { defined } from '../../../cache/values/defined.ts'
import { LostValueError, type LostValue } from '../../../cache/problems/lost-value.ts'
import { envFor, type SharedEnv } from '../../env/env.ts'
import type { Store } from '../../../cache/store.ts'
import { instancesKey } from '../../keys/keys.ts'
import { juryReading, storedJudgements } from '../../jury/stored-judgements.ts'
import { strictPoints } from '../../metrics/llm-jury.ts'
import { perInstanceStats } from '../../metrics/scoring/aggregate-run.ts'
import type { MetricPoint } from '../../metrics/metric.ts'
import { completionOf, storedCompletion } from '../../record/completion.ts'
import { getRows, type RunRecord, COLUMN, type RowTable } from '../../record/record.ts'
import { namedRecord } from '../../record/named-record.ts'
import { traceId } from '../../record/trace.ts'
import type { InstanceRef } from '../../record/instance-ref.ts'
import type { RequestState } from '../../record/request-state.ts'
import type { PerInstanceStats, Stat } from '../../record/stat.ts'
import type { Target } from '../../record/target.ts'
import { annotationColumns } from '../../stages/annotations.ts'
import { listInstances } from '../../stages/instances.ts'
import type { MeasuredPoints } from '../../stages/metrics.ts'
import { storedPrompt } from '../../stages/prompts.ts'
import { type Mode, readRequest } from '../walk.ts'
import { openRun, openStages, type OpenRequests, type OpenStages } from '../run.ts'

/** A record read back from the store, a request at a time. */
export interface RecordView {
  /** The instances that were asked, in the order of each trial's rows. */
  readonly asked: readonly InstanceRef[]
  /** The record's. */
  readonly stats: readonly Stat[]
  states(): Iterable<RequestState>
  /** One of the states. @param row from 0, trial by trial */
  state(row: number): RequestState
  /** All requests of the first metric object, then of the next, as HELM orders them. */
  perInstanceStats(): Iterable<PerInstanceStats>
  /** Our own values of one of the states, in no file of HELM's: those of the record's `ownStats`. */
  ownPoints(state: RequestState): readonly MetricPoint[]
}

/** @throws LostValueError when the store lost something that the record names */
export const viewRecord = async (
  target: Target,
  { record, digest }: { readonly record: RunRecord; readonly digest: Digest<'record'> },
  shared: SharedEnv,
): Promise<RecordView> => {
  const env = await envFor(target.spec.benchmark, shared)
  const { store } = env
  const rows = getRows(digest, record, store)
  if (rows === undefined) throw lost(record, { table: 'records', id: digest, what: 'rows' })
  if (!store.has('instances', record.instances))
    throw lost(record, { table: 'instances', id: record.instances, what: 'the list of instances' })
  const { benchmark } = target.spec
  const list = await listInstances(benchmark, await instancesKey(benchmark), env)
  const run = openRun(target, list, env, traceId(record.target))
  const stages = await openStages(target, env)
  const jury = juryReading(target, record.profile)
  const recorded = { record, rows, run, stages, store }
  return {
    asked: run.evaluated,
    stats: namedRecord({ record, digest }, store).stats,
    states: () => statesOf(recorded),
    state: (row) => stateOf(row, recorded, readMode(recorded)),
    ownPoints: (state) =>
      jury === undefined
        ? []
        : strictPoints(
            storedJudgements(state, jury).map(({ reading }) => reading),
            jury.jury.grading,
          ),
    perInstanceStats: () => statsOf(recorded),
  }
}

interface Recorded {
  readonly record: RunRecord
  readonly rows: RowTable
  readonly run: OpenRequests
  readonly stages: OpenStages
  readonly store: Store
}

/** Takes every stage's result from where the record says that it is. */
const readMode = ({ record, rows, stages: { target }, store }: Recorded): Mode => {
  const seen = new Set<string>()
  const columns = annotationColumns(target)
  return {
    prompt: ({ row }) => {
      const digest = (rows.get(row, COLUMN.prompt) ?? '') as Digest<'prompt'>
      const prompt = storedPrompt(store.get('prompts', digest))
      if (prompt === undefined)
        throw lost(record, { table: 'prompts', id: digest, what: `the prompt of request ${row + 1}` })
      return { digest, prompt, cached: true }
    },
    completion: ({ row }) => {
      const digest = rows.get(row, COLUMN.completion) as Digest<'completion'> | undefined
      if (digest === undefined) return { outcome: { kind: 'absent', reason: 'no reply' }, cached: true }
      const stored = storedCompletion(store.get('completions', digest))
      if (stored === undefined)
        throw lost(record, { table: 'completions', id: digest, what: `the completion of request ${row + 1}` })
      const repeated = seen.has(digest)
      seen.add(digest)
      const value = completionOf(digest, stored)
      return { outcome: { kind: 'done', value }, cached: true, repeated }
    },
    judgements: ({ row }) =>
      Array.from({ length: columns }, (_, column) => {
        const digest = rows.get(row, COLUMN.judgements + column) as Digest<'annotation'> | undefined
        if (digest !== undefined && !store.has('annotations', digest))
          throw lost(record, { table: 'annotations', id: digest, what: `a judgement of request ${row + 1}` })
        const judge = target.judges[column]?.judge.name ?? ''
        const outcome = { kind: 'absent', reason: 'read with the annotation' } as const
        return defined({ judge, outcome, retriable: false, completions: [], cached: true, digest })
      }),
  }
}

function* statesOf(recorded: Recorded): Iterable<RequestState> {
  const mode = readMode(recorded)
  for (let row = 0; row < recorded.rows.length; row += 1) yield stateOf(row, recorded, mode)
}

const stateOf = (row: number, { run, stages }: Recorded, mode: Mode): RequestState =>
  readRequest(run.at(row), stages, mode).state()

/** Most requests of a run share their values of a metric with others: so many are kept at hand. */
const REMEMBERED = 256

/** Values of the metrics, which need none of the texts before them. */
function* statsOf({ record, rows, run, stages: { metrics } }: Recorded): Iterable<PerInstanceStats> {
  for (const [index, metric] of metrics.entries()) {
    const known = new Map<string, MeasuredPoints>()
    for (let row = 0; row < rows.length; row += 1) {
      const digest = rows.get(row, rows.columns - metrics.length + index)
      if (digest === undefined) continue
      const values = known.get(digest) ?? metric.load(digest as Digest<'metric'>)
      if (values === undefined)
        throw lost(record, { table: 'metrics', id: digest, what: `the metrics of request ${row + 1}` })
      if (known.size < REMEMBERED) known.set(digest, values)
      const { ref, trial } = run.at(row)
      const stats = perInstanceStats({ instance: ref, trainTrialIndex: trial }, values.points)
      if (stats !== undefined) yield stats
    }
  }
}

const lost = ({ name, target }: RunRecord, value: LostValue): LostValueError =>
  new LostValueError({ ...value, what: `${value.what} (${name})`, trace: traceId(target) })
