import type { ScorePair } from '../../../targets/compare/changed-cells.ts'
import { benchmarkSides, type PairableSide } from '../../../targets/compare/paired-sides.ts'
import { pairableSide } from './packed-runs.ts'
import type { Snapshot, SnapshotCell, SnapshotScenario } from './snapshot.ts'

interface Scored {
  readonly benchmark: string
  readonly before: SnapshotCell
  readonly now: SnapshotCell
}

/** What two scores of a model can be held against each other by. */
export const basisOf = (
  { benchmark, before, now }: Scored,
  releaseBefore: Snapshot,
  releaseNow: Snapshot,
): ScorePair['basis'] => {
  const [had, has] = [before.runs ?? [], now.runs ?? []]
  if (had.length > 0 && rowsOf(had) === rowsOf(has)) return 'same'
  const of = { benchmark, metric: '' }
  const a = had.map((run) => ({ run, own: pairableSide(releaseBefore, run, { ...of, data: before.data }) }))
  const b = has.map((run) => ({ run, own: pairableSide(releaseNow, run, { ...of, data: now.data }) }))
  if (had.length === 0 || a.some(({ own }) => own === undefined)) return { reason: 'no values before' }
  if (has.length === 0 || b.some(({ own }) => own === undefined)) return { reason: 'no values now' }
  // Two runs alone are a pair, as `medmake compare` has it.
  const isPair = a.length === 1 && b.length === 1
  const pairs = a.flatMap(({ run, own }) => {
    const other = b.find(({ run: { scenario } }) => isPair || scenario === run.scenario)?.own
    return own && other ? [{ a: own, b: other }] : []
  })
  const runs = benchmarkSides(pairs, of.metric)
  const count = (all: readonly { readonly own: PairableSide | undefined }[]): number =>
    all.reduce((sum, { own }) => sum + (own?.ids.length ?? 0), 0)
  return runs.length === 0
    ? { reason: 'no instance in common' }
    : { runs, asked: Math.max(count(a), count(b)) }
}

const rowsOf = (runs: readonly SnapshotScenario[]): string =>
  runs
    .map(({ scenario, rows }) => `${scenario} ${rows}`)
    .toSorted()
    .join('\n')
