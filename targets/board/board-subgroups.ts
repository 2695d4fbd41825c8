import { groupBy } from '../../cache/group-by.ts'
import { bandLabels } from '../../benchmarks/scenario/band-labels.ts'
import type { Attribute } from '../../benchmarks/scenario/benchmark.ts'
import { compareCodePoints } from '../../benchmarks/python/text.ts'
import type { Interval } from '../statistics/intervals/interval.ts'
import { groupGaps, type GroupGap } from '../statistics/intervals/group-gap.ts'
import { meanInterval, type MeasuredSample } from '../statistics/intervals/mean-interval.ts'
import type { BoardValues } from './board-columns.ts'
import { isShown } from '../access/shown.ts'
import type { BoardBenchmark } from '../runs/board-run.ts'
import { SUB_SPLIT, type KnownGroups } from '../runs/known-groups.ts'
import type { Board } from './board.ts'
import { rowsOf, type InstanceVector } from '../runs/instance-vector.ts'

/** A run's values and its instances' groups. */
export interface GroupedValues extends KnownGroups {
  readonly values: BoardValues
}

/** One model's score on the instances of one group. */
export interface SubgroupScore {
  readonly asked: number
  /** Those that have a value that could be read. */
  readonly n: number
  readonly value: number | null
  /** 95 %. */
  readonly interval: Interval | null
  readonly method: string
}

export interface SubgroupRow {
  readonly deployment: string
  /** In the order of the groups; null where the model was asked none of it, or where too little of it was measured to be told. */
  readonly scores: readonly (SubgroupScore | null)[]
  /** The widest gap between groups of ten and more; null with fewer than two of them. */
  readonly widest: GroupGap | null
  /** The gap that lies furthest above 0 for sure, if any does. */
  readonly surest: GroupGap | null
}

/** Scores of a benchmark by one attribute of its instances. */
export interface Subgroups {
  readonly benchmark: string
  /** `sub_split` for HELM's sub-splits. */
  readonly attribute: string
  /** Empty: not stated. */
  readonly groups: readonly string[]
  /** Groups of a benchmark that is not public, left out as they, or what others would tell of them, are too small. */
  readonly withheld: number
  /** Gaps that the intervals of all gaps here hold at once. */
  readonly gaps: number
  readonly rows: readonly SubgroupRow[]
}

/** A group of fewer instances tells of single patients, and little of a model. */
export const LEAST = 10
const CONFIDENCE = 0.95

/**
 * Scores of a board's benchmarks by what is known of their instances; nothing of those without attributes.
 * @param least instances of a group that is told of a benchmark that is not public
 */
export const boardSubgroups = (
  board: Board,
  runs: readonly GroupedValues[],
  least = LEAST,
): readonly Subgroups[] =>
  board.benchmarks.flatMap((benchmark) => {
    const own = runs.filter(({ values }) => values.benchmark === benchmark.name)
    const attributes = new Map(own.flatMap((run) => run.attributes).map((each) => [each.name, each]))
    if (own.some(({ groups }) => [...groups.values()].some((each) => SUB_SPLIT in each)))
      attributes.set(SUB_SPLIT, attributes.get(SUB_SPLIT) ?? { name: SUB_SPLIT, column: SUB_SPLIT })
    const shown = publishable(benchmark, own, { attributes: [...attributes.values()], least })
    const told = isShown(benchmark) ? undefined : measuredEnough(own, shown, least)
    return shown.flatMap(({ attribute, groups, withheld }, at) => {
      const isTold = (deployment: string, group: string): boolean =>
        told?.get(deployment)?.[at]?.has(group) ?? true
      const left = groups.filter((group) => own.some(({ values }) => isTold(values.deployment, group)))
      const hidden = withheld + groups.length - left.length
      return left.length === 0
        ? []
        : [subgroupsOf(board, benchmark, own, { attribute, groups: left, withheld: hidden, isTold })]
    })
  })

interface ShownGroups {
  readonly attribute: Attribute
  readonly groups: readonly string[]
  readonly withheld: number
}

interface ToldGroups extends ShownGroups {
  readonly isTold: (deployment: string, group: string) => boolean
}

/** By model the groups of each attribute of which enough was measured: a mean over three answers tells of three patients. */
const measuredEnough = (
  runs: readonly GroupedValues[],
  shown: readonly ShownGroups[],
  least: number,
): ReadonlyMap<string, readonly ReadonlySet<string>[]> =>
  new Map(
    [...groupBy(runs, ({ values }) => values.deployment)].map(([deployment, own]) => [
      deployment,
      withholdSmall(
        shown.map(({ attribute }) => membersOf(own, attribute, isMeasured)),
        least,
      ),
    ]),
  )

const isMeasured = ({ values }: InstanceVector, at: number): boolean => !Number.isNaN(values[at] ?? NaN)

const publishable = (
  benchmark: BoardBenchmark,
  runs: readonly GroupedValues[],
  { attributes, least }: { readonly attributes: readonly Attribute[]; readonly least: number },
): readonly ShownGroups[] => {
  const members = attributes.map((attribute) => membersOf(runs, attribute))
  const left = isShown(benchmark)
    ? members.map((groups) => new Set(groups.keys()))
    : withholdSmall(members, least)
  return attributes.map((attribute, at) => {
    const groups = [...(members[at]?.keys() ?? [])]
    const kept = groups.filter((group) => left[at]?.has(group) === true)
    // All instances in one group, which the benchmark's own score is, say nothing.
    const worth = kept.length + (groups.length - kept.length > 0 ? 1 : 0) > 1 ? kept : []
    return { attribute, groups: inOrder(worth, attribute), withheld: groups.length - kept.length }
  })
}

/** Ids of each group, by run: a model that was asked less than others has smaller groups. */
const membersOf = (
  runs: readonly GroupedValues[],
  { name }: Attribute,
  counts: (vector: InstanceVector, row: number) => boolean = () => true,
): ReadonlyMap<string, readonly ReadonlySet<string>[]> => {
  const members = new Map<string, Map<number, Set<string>>>()
  for (const [at, { values, groups }] of runs.entries())
    for (const [row, id] of values.vector.ids.entries()) {
      if (!counts(values.vector, row)) continue
      const group = groups.get(id)?.[name] ?? ''
      const own = members.get(group) ?? new Map<number, Set<string>>()
      members.set(group, own)
      own.set(at, (own.get(at) ?? new Set()).add(id))
    }
  return new Map([...members].map(([group, byRun]) => [group, [...byRun.values()]]))
}

const sizeOf = (sets: readonly ReadonlySet<string>[]): number => Math.min(...sets.map(({ size }) => size))

/**
 * The groups of each attribute that may be shown: none under the least; where some are withheld at least two, with that
 * many instances together, as one would follow from the whole; and none that tells what is left of another attribute's
 * group, where that is under the least.
 */
export const withholdSmall = (
  attributes: readonly ReadonlyMap<string, readonly ReadonlySet<string>[]>[],
  least = LEAST,
): readonly ReadonlySet<string>[] => {
  const kept = attributes.map(
    (groups) => new Set([...groups].filter(([, sets]) => sizeOf(sets) >= least).map(([group]) => group)),
  )
  for (let before = -1; before !== total(kept);) {
    before = total(kept)
    for (const [at, groups] of attributes.entries()) {
      complement(groups, kept[at] ?? new Set(), least)
      for (const [other, others] of attributes.entries())
        if (other !== at)
          dropNested(
            { groups, kept: kept[at] ?? new Set() },
            { groups: others, kept: kept[other] ?? new Set() },
            least,
          )
    }
  }
  return kept
}

const total = (kept: readonly ReadonlySet<string>[]): number => kept.reduce((sum, { size }) => sum + size, 0)

const complement = (
  groups: ReadonlyMap<string, readonly ReadonlySet<string>[]>,
  kept: Set<string>,
  least: number,
): void => {
  const hidden = [...groups].filter(([group]) => !kept.has(group))
  if (hidden.length === 0) return
  let count = hidden.length
  let instances = hidden.reduce((sum, [, sets]) => sum + sizeOf(sets), 0)
  const smallest = [...groups]
    .filter(([group]) => kept.has(group))
    .sort((a, b) => sizeOf(a[1]) - sizeOf(b[1]) || compareCodePoints(a[0], b[0]))
  for (const [group, sets] of smallest) {
    if (count > 1 && instances >= least) return
    kept.delete(group)
    count += 1
    instances += sizeOf(sets)
  }
}

interface Kept {
  readonly groups: ReadonlyMap<string, readonly ReadonlySet<string>[]>
  readonly kept: Set<string>
}

/** Withholds the inner one of two groups that differ by fewer instances than the least. */
const dropNested = (inner: Kept, outer: Kept, least: number): void => {
  for (const group of inner.kept)
    for (const other of outer.kept) {
      const [own = [], others = []] = [inner.groups.get(group), outer.groups.get(other)]
      if (own.some((ids) => others.some((all) => isNearlyAll(ids, all, least)))) inner.kept.delete(group)
    }
}

const isNearlyAll = (ids: ReadonlySet<string>, all: ReadonlySet<string>, least: number): boolean =>
  all.size > ids.size && all.size - ids.size < least && [...ids].every((id) => all.has(id))

/** Bands as they rise, others by name; what is not stated comes last. */
const inOrder = (groups: readonly string[], { bands }: Attribute): readonly string[] => {
  const labels = bands === undefined ? [] : bandLabels(bands)
  return groups.toSorted(
    (a, b) =>
      Number(a === '') - Number(b === '') || labels.indexOf(a) - labels.indexOf(b) || compareCodePoints(a, b),
  )
}

const subgroupsOf = (
  { rows }: Board,
  { name, mainMetric }: BoardBenchmark,
  runs: readonly GroupedValues[],
  { attribute, groups, withheld, isTold }: ToldGroups,
): Subgroups => {
  const parts = rows.flatMap(({ model: { deployment } }) => {
    const own = runs.filter(({ values }) => values.deployment === deployment)
    if (own.length === 0) return []
    return [
      {
        deployment,
        groups: groups.map((group) =>
          isTold(deployment, group)
            ? own.flatMap((run) => partOf(run, { attribute, group, isOneOfSeveral: own.length > 1 }))
            : [],
        ),
      },
    ]
  })
  const compared = parts.map((part) =>
    part.groups.flatMap((own, at) =>
      own.reduce((sum, { values }) => sum + values.length, 0) >= LEAST ? [{ at, runs: own }] : [],
    ),
  )
  const gaps = compared.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0)
  return {
    benchmark: name,
    attribute: attribute.name,
    groups,
    withheld,
    gaps,
    rows: parts.map(({ deployment, groups: own }, row) => {
      const there = compared[row] ?? []
      const found = groupGaps(
        there.map((group) => group.runs),
        mainMetric,
        { confidence: CONFIDENCE, family: gaps },
      ).map((gap) => ({ ...gap, high: there[gap.high]?.at ?? 0, low: there[gap.low]?.at ?? 0 }))
      const sure = found
        .filter(({ interval }) => interval !== null && interval.low > 0)
        .sort((a, b) => (b.interval?.low ?? 0) - (a.interval?.low ?? 0))
      return {
        deployment,
        scores: own.map((measured) => scoreOf(measured, mainMetric)),
        widest: found[0] ?? null,
        surest: sure[0] ?? null,
      }
    }),
  }
}

const scoreOf = (
  runs: readonly MeasuredSample[],
  metric: BoardBenchmark['mainMetric'],
): SubgroupScore | null => {
  if (runs.length === 0) return null
  const { n, measured, mean, interval, method } = meanInterval(runs, metric, CONFIDENCE)
  return { asked: n, n: measured, value: mean, interval, method }
}

/** A run's instances of one group; nothing where it has none. */
const partOf = (
  { values: { vector }, groups }: GroupedValues,
  {
    attribute: { name },
    group,
    isOneOfSeveral,
  }: { readonly attribute: Attribute; readonly group: string; readonly isOneOfSeveral: boolean },
): readonly MeasuredSample[] => {
  const places = vector.ids.flatMap((id, at) => ((groups.get(id)?.[name] ?? '') === group ? [at] : []))
  return places.length === 0
    ? []
    : [restrictedTo(isOneOfSeveral ? { ...vector, clusters: rowsOf(vector) } : vector, places)]
}

const restrictedTo = ({ values, clusters }: InstanceVector, places: readonly number[]): MeasuredSample => ({
  values: places.map((at) => values[at] ?? NaN),
  ...(clusters && { sources: places.map((at) => clusters[at] ?? '') }),
})
