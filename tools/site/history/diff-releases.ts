import { changedCells, type CellChange, type ScorePair } from '../../../targets/compare/changed-cells.ts'
import type { WinRateParts } from '../../../targets/compare/win-rate-parts.ts'
import { movedBy } from './moved-by.ts'
import type {
  Snapshot,
  SnapshotCell,
  SnapshotModel,
  SnapshotBenchmark,
  SnapshotScenario,
} from './snapshot.ts'
import { benchmarkSides, type PairableSide } from '../../../targets/compare/paired-sides.ts'
import { pairableSide } from './packed-runs.ts'
import { LEAST_INSTANCES } from '../../../targets/access/suppress-small.ts'

/** What may move a score between two releases, as both of them recorded it. */
export type ChangeCause = 'data' | 'protocol' | 'profile' | 'jury' | 'model version' | 'errata'

export const CAUSE_ORDER: readonly ChangeCause[] = [
  'data',
  'protocol',
  'profile',
  'jury',
  'model version',
  'errata',
]

/** A model's score on a benchmark as two releases have it. */
export interface CellPair {
  readonly model: SnapshotModel
  readonly benchmark: string
  readonly before: SnapshotCell
  readonly now: SnapshotCell
  readonly causes: readonly ChangeCause[]
}

export type ChangedCell = CellPair & CellChange

interface MovedModel {
  readonly now: SnapshotModel
  /** Absent for a model that is new. */
  readonly before?: SnapshotModel
  /** Of its cells, each with the number of benchmarks that it touches. */
  readonly causes: ReadonlyMap<ChangeCause, number>
}

export interface ReleaseDiff {
  readonly releases: { readonly before: Snapshot; readonly now: Snapshot }
  readonly moved: readonly MovedModel[]
  /** What moved the win rates; undefined where the files of the releases do not give them again. */
  readonly parts?: WinRateParts
  /** Models that are gone, as they stood. */
  readonly gone: readonly SnapshotModel[]
  /** Cells that both have, ranked or not, with what was not the same of them. */
  readonly pairs: readonly CellPair[]
  /** False where the file of the release before tells protocols in another way. */
  readonly areProtocolsKnown: boolean
  /** Benchmarks of both whose scores cannot be held against each other. */
  readonly otherMeasures: readonly OtherMeasure[]
  /** Ranked cells that both have, measured alike, surest change first. */
  readonly cells: readonly ChangedCell[]
  readonly newModels: readonly string[]
  readonly newBenchmarks: readonly string[]
  readonly goneBenchmarks: readonly string[]
}

/** What differs between two releases of a suite. @param isClosed whether of a benchmark's few instances nothing may be told */
export const diffReleases = (
  before: Snapshot,
  now: Snapshot,
  isClosed: (benchmark: string) => boolean,
): ReleaseDiff => {
  const old = new Map(before.models.map((model) => [model.deployment, model]))
  const places = new Map(before.benchmarks.map(({ name }, at) => [name, at]))
  const areProtocolsKnown = before.version === now.version
  const differing = (one: SnapshotCell, other: SnapshotCell): readonly ChangeCause[] =>
    causesOf(one, other).filter((cause) => areProtocolsKnown || cause !== 'protocol')
  const all = now.models.flatMap((model): readonly CellPair[] => {
    const earlier = old.get(model.deployment)
    return now.benchmarks.flatMap(({ name }, at) => {
      const [own, other] = [model.cells[at] ?? null, earlier?.cells[places.get(name) ?? -1] ?? null]
      return own === null || other === null
        ? []
        : [{ model, benchmark: name, now: own, before: other, causes: differing(other, own) }]
    })
  })
  const pairs = askedAlike(all)
  const others = otherMeasures(before, now)
  const isAlike = (benchmark: string): boolean => others.every(({ name }) => name !== benchmark)
  const names = (list: readonly { readonly name: string }[]): ReadonlySet<string> =>
    new Set(list.map(({ name }) => name))
  const [had, has] = [names(before.benchmarks), names(now.benchmarks)]
  const current = new Set(now.models.map(({ deployment }) => deployment))
  const parts = movedBy(before, now, { causesOf: differing, isAlike })
  return {
    releases: { before, now },
    otherMeasures: others,
    ...(parts && { parts }),
    pairs,
    areProtocolsKnown,
    gone: before.models.filter(({ deployment }) => !current.has(deployment)),
    moved: now.models.map((model) => {
      const earlier = old.get(model.deployment)
      return {
        now: model,
        ...(earlier && { before: earlier }),
        causes: countCauses(pairs.filter((pair) => pair.model === model)),
      }
    }),
    cells: cellsOf(
      pairs.filter(({ benchmark }) => isAlike(benchmark)),
      { before, now, isClosed },
    ),
    newModels: now.models.flatMap(({ deployment, label }) => (old.has(deployment) ? [] : [label])),
    newBenchmarks: now.benchmarks.flatMap(({ name, label }) => (had.has(name) ? [] : [label])),
    goneBenchmarks: before.benchmarks.flatMap(({ name, label }) => (has.has(name) ? [] : [label])),
  }
}

/**
 * What a cell tells of its protocol is of each of its runs. One that lacks a run, or has it now, is asked as it was where
 * another model, whose runs are what they were, is.
 */
const askedAlike = (pairs: readonly CellPair[]): readonly CellPair[] => {
  const isSteady = ({ before, now }: CellPair): boolean => scenariosOf(before) === scenariosOf(now)
  const alike = new Set(
    pairs.flatMap((pair) => (isSteady(pair) && !pair.causes.includes('protocol') ? [pair.benchmark] : [])),
  )
  return pairs.map((pair) =>
    alike.has(pair.benchmark) && !isSteady(pair)
      ? { ...pair, causes: pair.causes.filter((cause) => cause !== 'protocol') }
      : pair,
  )
}

const scenariosOf = ({ runs = [] }: SnapshotCell): string =>
  runs
    .map(({ scenario }) => scenario)
    .toSorted()
    .join('\n')

/** Those that both rank, as they changed. */
const cellsOf = (
  pairs: readonly CellPair[],
  { before, now, isClosed }: ReleaseDiff['releases'] & { readonly isClosed: (benchmark: string) => boolean },
): readonly ChangedCell[] => {
  const scored = pairs.filter((pair) => pair.before.score !== null && pair.now.score !== null)
  const changes = changedCells(
    scored.map((pair): ScorePair => {
      const { scale } = now.benchmarks.find(({ name }) => name === pair.benchmark) ?? {}
      return {
        before: { value: pair.before.score ?? 0, interval: pair.before.interval },
        now: { value: pair.now.score ?? 0, interval: pair.now.interval },
        metric: scale ?? { isBinary: false },
        basis: basisOf(pair, { before, now, isClosed: isClosed(pair.benchmark) }),
      }
    }),
  )
  const cells = scored.flatMap((pair, at): readonly ChangedCell[] => {
    const change = changes[at]
    return change === undefined ? [] : [{ ...pair, ...change }]
  })
  return cells.toSorted((a, b) => (a.p ?? 2) - (b.p ?? 2))
}

/** What differs of the conditions of two cells; nothing where it is a matter of other answers alone. */
const causesOf = (before: SnapshotCell, now: SnapshotCell): readonly ChangeCause[] => {
  const differs: Readonly<Record<ChangeCause, boolean>> = {
    data: before.data !== now.data,
    protocol: before.protocol !== now.protocol,
    profile: before.profiles !== undefined && before.profiles.join('\n') !== now.profiles?.join('\n'),
    jury:
      before.jury.join('\n') !== now.jury.join('\n') ||
      (before.judgedBy !== undefined && before.judgedBy.join('\n') !== now.judgedBy?.join('\n')),
    'model version': before.served.join('\n') !== now.served.join('\n'),
    errata: before.errata.join('\n') !== now.errata.join('\n'),
  }
  return CAUSE_ORDER.filter((cause) => differs[cause])
}

const countCauses = (pairs: readonly CellPair[]): ReadonlyMap<ChangeCause, number> => {
  const counts = new Map<ChangeCause, number>()
  for (const { causes } of pairs) for (const cause of causes) counts.set(cause, (counts.get(cause) ?? 0) + 1)
  return counts
}

/** A benchmark that two releases measure by another metric, or on another scale: its scores are no change of each other. */
interface OtherMeasure {
  readonly name: string
  readonly label: string
  readonly before: string
  readonly now: string
}

const otherMeasures = (before: Snapshot, now: Snapshot): readonly OtherMeasure[] =>
  now.benchmarks.flatMap((own) => {
    const earlier = before.benchmarks.find(({ name }) => name === own.name)
    return earlier === undefined || isSame(earlier, own)
      ? []
      : [{ name: own.name, label: own.label, before: wordsOf(earlier), now: wordsOf(own) }]
  })

/** As far as both files tell: older ones name no metric. */
const isSame = (a: SnapshotBenchmark, b: SnapshotBenchmark): boolean =>
  a.measure === undefined || b.measure === undefined
    ? a.width === b.width &&
      (a.lowerIsBetter === undefined || b.lowerIsBetter === undefined || a.lowerIsBetter === b.lowerIsBetter)
    : a.measure === b.measure

const wordsOf = ({ measure, width, lowerIsBetter }: SnapshotBenchmark): string =>
  measure ??
  `${width === null ? 'without ends' : `a scale of ${width}`}${lowerIsBetter === true ? ', less is better' : ''}`

interface Scored {
  readonly benchmark: string
  readonly before: SnapshotCell
  readonly now: SnapshotCell
}

/** What two scores of a model can be held against each other by. */
export const basisOf = (
  { benchmark, before, now }: Scored,
  releases: ReleaseDiff['releases'] & { readonly isClosed: boolean },
): ScorePair['basis'] => {
  const [had, has] = [before.runs ?? [], now.runs ?? []]
  if (had.length > 0 && rowsOf(had) === rowsOf(has)) return 'same'
  const of = { benchmark, metric: '' }
  const a = had.map((run) => ({ run, own: pairableSide(releases.before, run, { ...of, data: before.data }) }))
  const b = has.map((run) => ({ run, own: pairableSide(releases.now, run, { ...of, data: now.data }) }))
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
  if (runs.length === 0) return { reason: 'no instance in common' }
  const [asked, shared] = [[count(a), count(b)], runs.reduce((sum, { rows }) => sum + rows.length, 0)]
  // Beside the means over all those over what both have tell of the rest.
  const isFew = [shared, ...asked.map((all) => all - shared)].some((n) => n > 0 && n < LEAST_INSTANCES)
  if (releases.isClosed && isFew) return { reason: 'it would tell what few instances scored' }
  return { runs, asked: Math.max(...asked) }
}

const rowsOf = (runs: readonly SnapshotScenario[]): string =>
  runs
    .map(({ scenario, rows }) => `${scenario} ${rows}`)
    .toSorted()
    .join('\n')
