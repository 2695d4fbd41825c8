import { juryReading, storedJudgements } from '../jury/stored-judgements.ts'
import type { RunRecord } from '../record/record.ts'
import type { Target } from '../record/target.ts'
import type { RecordView } from './modes/read.ts'

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
export const askedInstances = (
  target: Target,
  record: RunRecord,
  view: RecordView,
  byJury: boolean,
): AskedInstances => {
  const { mainMetric } = target.spec.benchmark
  const { asked } = view
  return {
    ids: asked.filter(({ split }) => split === mainMetric.split).map(({ id }) => String(id)),
    trials: asked.length === 0 ? 0 : record.rows / asked.length,
    unread: byJury ? unreadInstances(target, record, view) : new Set(),
  }
}

/**
 * Instances of which a judge's score could not be read, in any trial. HELM fills what is missing with a default, or
 * averages over the judges that are left: such a value is no measurement. An answer of blanks has nothing to judge, and
 * counts as read. Annotations are opened only where the record tells that some are missing.
 *
 * @returns texts of the ids; empty without a jury
 */
export const unreadInstances = (
  target: Target,
  { coverage: { judgements }, failures, profile }: RunRecord,
  view: Pick<RecordView, 'states'>,
): ReadonlySet<string> => {
  const jury = juryReading(target, profile)
  const unread = new Set<string>()
  if (jury === undefined) return unread
  for (const { stage, instance } of failures) if (stage === 'annotations') unread.add(instance)
  if (judgements !== undefined && judgements.read >= judgements.wanted) return unread
  for (const state of view.states())
    if (storedJudgements(state, jury).some(({ reading }) => reading.kind !== 'scores'))
      unread.add(String(state.instance.id))
  return unread
}
