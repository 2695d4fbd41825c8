import { groupBy } from '../../cache/lists.ts'
import { bandLabels } from '../../benchmarks/scenario/band-labels.ts'
import type { Attribute } from '../../benchmarks/scenario/benchmark.ts'
import { remembered } from '../../cache/once.ts'
import { compareCodePoints } from '../../benchmarks/python/text.ts'
import type { Interval } from '../statistics/intervals/wilson.ts'
import { groupGaps, type GroupGap } from '../statistics/intervals/group-gap.ts'
import { meanInterval, type MeasuredSample } from '../statistics/intervals/mean-interval.ts'
import type { BoardValues } from './board-columns.ts'
import { isShown } from '../access/suppress-small.ts'
import type { BoardBenchmark } from '../runs/board-run.ts'
import { SUB_SPLIT, type KnownGroups, rowsOf, type InstanceVector } from '../runs/instance-vector.ts'
import type { Board } from './board.ts'
import { LEAST, withholdSmall, type GroupMembers } from './withhold-small.ts'
import { CONFIDENCE } from '../statistics/scale.ts'

/** A run's values and its instances' groups. */
export interface GroupedValues extends KnownGroups {
  readonly values: BoardValues
}

/** One model's score on the instances of one group. */
interface SubgroupScore {
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

/**
 * Scores of a board's benchmarks by what is known of their instances; nothing of those without attributes.
 * @param least instances of a group that is told of a benchmark that is not public
 */
export const boardSubgroups = (
  board: Board,
  runs: readonly GroupedValues[],
  least = LEAST,
): readonly Subgroups[] =>
  board.benchmarks.flatMap((benchmark, column) => {
    const cells = new Map(board.rows.map((row) => [row.model.deployment, row.cells[column]]))
    // As the cell's own score: of the runs that it is over.
    const own = runs.filter(
      ({ values: { benchmark: name, deployment, run } }) =>
        name === benchmark.name && cells.get(deployment)?.runs.includes(run) !== false,
    )
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

/** By run, as a model that was asked less than others has smaller groups; and by model, where it has several runs. */
const membersOf = (
  runs: readonly GroupedValues[],
  { name }: Attribute,
  counts: (vector: InstanceVector, row: number) => boolean = () => true,
): GroupMembers => {
  const models = [...groupBy(runs, ({ values }) => values.deployment).values()]
  const parts = [...runs.map((run) => [run]), ...models.filter(({ length }) => length > 1)]
  const members = new Map<string, readonly Map<string, string>[]>()
  for (const [part, own] of parts.entries())
    for (const [at, { values, groups }] of own.entries()) {
      const sources = rowsOf(values.vector)
      for (const [row, id] of values.vector.ids.entries()) {
        if (!counts(values.vector, row)) continue
        const group = groups.get(id)?.[name] ?? ''
        const found = remembered(members, group, () => parts.map(() => new Map<string, string>()))
        found[part]?.set(`${at} ${id}`, sources[row] ?? id)
      }
    }
  return members
}

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

const restrictedTo = (
  { values, clusters, areMeans = false }: InstanceVector,
  places: readonly number[],
): MeasuredSample => ({
  values: places.map((at) => values[at] ?? NaN),
  areMeans,
  ...(clusters && { sources: places.map((at) => clusters[at] ?? '') }),
})
