import { compositeOf, type CurrentRating } from '../../targets/ratings/current-ratings.ts'
import { unitKey } from '../../targets/ratings/unit.ts'
import { tabulated, type TextColumns } from '../../cache/words/tables.ts'
import type { ShownCell } from '../site/downloads/shown-table.ts'
import { csvOf } from '../site/downloads/table-files.ts'
import { juryByCriterion } from '../jury/rated-runs.ts'
import { besideCriterion } from './exported-table.ts'
import type { RatableAnswers } from './rated-runs.ts'

/** A rating as it is handed on: digests, scores, no text but a comment that was asked for. */
export interface ExportedRow {
  readonly rater: string
  /** As the run names it; of a benchmark that is not public its digest. */
  readonly instance_id: string
  readonly benchmark: string
  readonly model: string
  /** By criterion; empty where it could not be judged. */
  readonly scores: Readonly<Record<string, number>>
  /** Mean of the criteria, or what the points of the instance's own rubric make; null where nothing could be judged. */
  readonly composite: number | null
  readonly jury: Readonly<Record<string, number>>
  readonly study: string
  readonly at: string
  readonly order: number | null
  readonly instance: string
  readonly answer: string | null
  readonly rubric: string | null
  readonly reason: string | null
  readonly safety: boolean
  readonly active_ms: number | null
  readonly opened: readonly string[]
  readonly changes: number
  readonly comment?: string
}

interface Held {
  readonly instanceId: string
  readonly model: string
  readonly isPublic: boolean
  readonly jury: Readonly<Record<string, number>>
}

/** @param comments by event, of those that may be handed on */
export const exportedRows = (
  ratings: readonly CurrentRating[],
  {
    runs,
    comments,
  }: { readonly runs: readonly RatableAnswers[]; readonly comments: ReadonlyMap<string, string> },
): readonly ExportedRow[] => {
  const held = heldAnswers(ratings, runs)
  return ratings.map((rating) => {
    const { subject, content, event } = rating
    const own = held.get(unitKey(subject))
    const comment = comments.get(event)
    return {
      rater: rating.rater,
      instance_id: own?.isPublic === true ? own.instanceId : subject.instance,
      benchmark: subject.benchmark,
      model: own?.model ?? subject.model ?? '',
      scores: content.scores,
      composite: compositeOf(rating),
      // A table's hold of its criteria alone.
      jury: { ...own?.jury, ...content.jury },
      study: rating.study,
      at: rating.at,
      order: rating.order ?? null,
      instance: subject.instance,
      answer: subject.answer,
      rubric: subject.rubric,
      reason: content.reason ?? null,
      safety: content.safety ?? false,
      active_ms: content.active_ms ?? null,
      opened: content.opened ?? [],
      changes: rating.changes,
      ...(comment === undefined ? {} : { comment }),
    }
  })
}

/** What the runs hold of the rated answers; an answer of several models counts for the first. */
const heldAnswers = (
  ratings: readonly CurrentRating[],
  runs: readonly RatableAnswers[],
): ReadonlyMap<string, Held> => {
  const wanted = new Set(ratings.map(({ subject }) => unitKey(subject)))
  const held = new Map<string, Held>()
  for (const { run, model, answers } of runs) {
    const byId = new Map(answers.map((answer) => [answer.instanceId, unitKey(answer)]))
    for (const state of run.view.states()) {
      const instanceId = String(state.instance.id)
      const key = byId.get(instanceId) ?? ''
      if (state.trainTrialIndex !== 0 || !wanted.has(key) || held.has(key)) continue
      const jury = Object.fromEntries(juryByCriterion(state, run))
      held.set(key, { instanceId, model, isPublic: run.target.spec.benchmark.access === 'public', jury })
    }
  }
  return held
}

/** Columns behind the paper's. */
const REST: TextColumns<ExportedRow, ShownCell> = [
  ['study', ({ study }) => study],
  ['at', ({ at }) => at],
  ['order', ({ order }) => order],
  ['answer', ({ answer }) => answer],
  ['rubric', ({ rubric }) => rubric],
  ['reason', ({ reason }) => reason],
  ['safety', ({ safety }) => (safety ? 'yes' : '')],
  ['active_ms', (row) => row.active_ms],
  ['opened', ({ opened }) => opened.join(' ')],
  ['changes', ({ changes }) => changes],
  ['composite', ({ composite }) => composite],
]

/** The paper's columns first. A cell that begins as a formula stays text. */
export const exportedCsv = (rows: readonly ExportedRow[]): string => {
  const judged = new Set(rows.flatMap(({ jury }) => Object.keys(jury)))
  const criteria = [...new Set([...rows.flatMap(({ scores }) => Object.keys(scores)), ...judged])]
  const hasComments = rows.some(({ comment }) => comment !== undefined)
  const rest: TextColumns<ExportedRow, ShownCell> = [
    ...REST,
    ...(hasComments ? [['comment', ({ comment = '' }: ExportedRow) => comment] as const] : []),
  ]
  const columns: TextColumns<ExportedRow, ShownCell> = [
    ['rater', ({ rater }) => rater],
    ['instance_id', (row) => row.instance_id],
    ['benchmark', ({ benchmark }) => benchmark],
    ['model', ({ model }) => model],
    ...criteria.map((name) => [name, (row: ExportedRow) => row.scores[name] ?? null] as const),
    // An empty one would be refused where the table comes back.
    ...criteria.flatMap((name) =>
      judged.has(name) ? [[`jury_${name}`, (row: ExportedRow) => row.jury[name] ?? null] as const] : [],
    ),
    ...rest.map(
      ([name, ...cell]) => [criteria.includes(name) ? besideCriterion(name) : name, ...cell] as const,
    ),
  ]
  const [head, cells] = tabulated(columns, rows)
  return csvOf({ name: 'ratings', head, rows: cells })
}
