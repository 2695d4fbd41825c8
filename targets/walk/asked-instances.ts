import { instancesKey } from '../keys/instances-key.ts'
import type { RunRecord } from '../record/record.ts'
import type { Target } from '../record/target.ts'
import type { Kept } from '../env/env.ts'
import { chooseInstances, listInstances } from '../stages/instances.ts'
import type { RecordView } from './modes/read.ts'
import { unreadInstances } from './unread-instances.ts'

/** What a run's main metric was asked of. */
export interface AskedInstances {
  /** Texts of the ids, in the data's order. */
  readonly ids: readonly string[]
  /** Values that each instance should have. */
  readonly trials: number
  /** Those of which a judge's score could not be read, where judges give the metric. */
  readonly unread: ReadonlySet<string>
}

/** @param byJury whether judges give the main metric */
export const askedInstances = async (
  target: Target,
  record: RunRecord,
  { view, env, byJury }: { readonly view: RecordView; readonly env: Kept; readonly byJury: boolean },
): Promise<AskedInstances> => {
  const { benchmark, adapter } = target.spec
  const { refs } = await listInstances(benchmark, await instancesKey(benchmark), env)
  const { evaluated } = chooseInstances(refs, adapter.maxEvalInstances, adapter.evalSplits)
  return {
    ids: evaluated.filter(({ split }) => split === benchmark.mainMetric.split).map(({ id }) => String(id)),
    trials: evaluated.length === 0 ? 0 : record.rows / evaluated.length,
    unread: byJury ? unreadInstances(target, record, view) : new Set(),
  }
}
