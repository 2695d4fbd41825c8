import { remembered } from '../../../../../cache/once.ts'
import { plural } from '../../../../../cache/words/number-text.ts'
import { defined } from '../../../../../cache/values/defined.ts'
import { placesOf } from '../../../../../targets/board/stretches.ts'
import {
  isComparedColumn,
  standings,
  type StandingColumn,
  type Standings,
} from '../../../../../targets/board/standings.ts'
import { shareLetter } from '../../../../../targets/statistics/multiple/letters.ts'
import { winRateLikeThese, winShares } from '../../../../../targets/statistics/ranks/win-share.ts'
import { OFF_SCALE, CONFIDENCE } from '../../../../../targets/statistics/scale.ts'
import type { BoardData, ColumnData, ModelData, RankData, SpentData, TaskData } from './board-data.ts'
import { cellView, type CellView } from './cell-view.ts'
import { wordsOf, type LeaderboardState } from '../state.ts'
import { matching, sortedRows } from './sorted-rows.ts'

/** The board as a state shows it. */
export interface BoardView {
  readonly suite: string
  /** In the order asked for, those that the filters leave. */
  readonly rows: readonly RowView[]
  /** All models, in the order of their places. */
  readonly all: readonly RowView[]
  readonly columns: readonly ColumnView[]
  readonly categories: readonly CategoryView[]
  /** By average nobody is surely ahead of anybody. */
  readonly isAllTied: boolean
  /** Benchmarks that win rates compare. */
  readonly compared: number
  /** Names of those that they do not. */
  readonly leftOut: readonly string[]
  /** Those of them that averages, ties and ranks rest on: all values lie on a scale with ends. */
  readonly averaged: number
  readonly hasRanks: boolean
  readonly likeTheseReason: string
  /** Benchmarks that keep models from being told apart, by their labels: as `UntoldBenchmarks` says. */
  readonly oneSource: readonly string[]
  readonly unshared: readonly string[]
  /** Benchmarks whose jury no clinician’s rating was held against, by their labels. */
  readonly unchecked: readonly string[]
  /** As in the data; of the whole board alone. */
  readonly lost: string
  readonly asked: BoardData['asked']
  readonly task: string
}

export interface ColumnView extends ColumnData {
  /** Place in the data. */
  readonly index: number
}

/** A benchmark’s column as it is shown. */
export interface BenchmarkView extends ColumnView {
  /** Letters of its best ranked cells: who shares one is not told apart from the best. Undefined: all are tied. */
  readonly bestGroups: string | undefined
}

export interface CategoryView {
  readonly name: string
  readonly columns: readonly ColumnView[]
  readonly isOpen: boolean
  /** Nobody is surely ahead of anybody. */
  readonly isAllTied: boolean
}

export interface RowView extends Omit<ModelData, 'cells'> {
  /** Place in the data. */
  readonly index: number
  readonly isPinned: boolean
  readonly place: { readonly rank: number; readonly tied: boolean } | null
  readonly winRate: number | null
  /** 95 % of the win rate: on these benchmarks, or on a further one like these. */
  readonly whisker?: { readonly low: number; readonly high: number; readonly of: 'these' | 'like these' }
  readonly ranked: number
  /** Over all of the view’s benchmarks. */
  readonly average: CategoryScore
  readonly rank?: RankView
  /** By category, in the order of the view’s. */
  readonly scores: readonly CategoryScore[]
  /** By column of the data. */
  readonly cells: readonly CellView[]
  readonly spent: SpentData | 0
  /** Share of the requests that gave no score, for lack of the answer or of any judge’s verdict; null where nobody counted. */
  readonly failed: number | null
}

interface RankView {
  /** Ranks by average that tests leave open on these benchmarks. */
  readonly low: number | null
  readonly high: number | null
  readonly first: number | null
  readonly like: { readonly low: number; readonly high: number } | null
  /** Places in the data of the models that are surely ahead of it; undefined where nothing tells. */
  readonly behind: ReadonlySet<number> | undefined
}

export interface CategoryScore {
  /** Mean share of the scales, over those of the benchmarks that it is ranked in. */
  readonly mean: number | null
  readonly ranked: number
  readonly of: number
  /** Tied for first within the category. */
  readonly isFirst: boolean
  readonly interval: { readonly low: number; readonly high: number } | null
}

/** What a window of 1280 px has for them beside the other columns, and what a category and a benchmark take of it: rem. */
const ROOM = 38
const OF_CATEGORY = 6.7
const OF_BENCHMARK = 4.75

/** Everything on the page follows from the data and the state. */
export const boardView = (data: BoardData, state: LeaderboardState, room = ROOM): BoardView => {
  const columns = chosenColumns(data, state)
  const cells = cellsOf(data)
  const reached = standingsOf(data, columns)
  const task = taskOf(data, columns)
  const likes = task === undefined ? likeTheseOf(data, columns) : []
  const categories = categoriesOf(data, columns, state, room)
  const scores = categories.map((category) => categoryScores(data, category.columns))
  const averages = categoryScores(data, columns)
  const pinned = new Set(wordsOf(state.pin))
  const all = data.models.map((model, index): RowView => {
    const rank = rankView(task?.ranks[index] ?? 0)
    const own = reached.rows[index]
    const whisker = whiskerOf(task?.ranks[index] ?? 0) ?? likes[index]
    return defined({
      ...model,
      index,
      isPinned: pinned.has(model.key),
      place: own?.place ?? null,
      winRate: own?.winRate ?? null,
      whisker,
      ranked: own?.compared ?? 0,
      average: averages.rows[index] ?? NO_SCORE,
      rank,
      scores: scores.flatMap((of) => of.rows[index] ?? []),
      cells: cells[index] ?? [],
      spent: task?.spent[index] ?? 0,
      failed: failedOf(columns.flatMap((column) => cells[index]?.[column.index] ?? [])),
    })
  })
  const ordered = all.toSorted(byPlace)
  return {
    suite: data.suite,
    rows: sortedRows(ordered.filter(matching(state)), categories, state),
    all: ordered,
    columns,
    categories: categories.map((category, at) => ({
      ...category,
      isAllTied: scores[at]?.isAllTied ?? false,
    })),
    isAllTied: averages.isAllTied,
    compared: reached.isCompared.filter(Boolean).length,
    leftOut: columns.flatMap(({ label }, at) => (reached.isCompared[at] === true ? [] : [label])),
    averaged: reached.isCompared.filter((is, at) => is && reached.isAveraged[at] === true).length,
    hasRanks: all.some(({ rank }) => rank?.low != null),
    likeTheseReason: task === undefined ? '' : data.likeTheseReason,
    oneSource: labelsOf(data, task?.oneSource),
    unshared: labelsOf(data, task?.unshared),
    unchecked: columns.flatMap(({ isUnchecked, label }) => (isUnchecked === true ? [label] : [])),
    lost: data.lost ?? '',
    asked: columns.length === data.columns.length ? data.asked : undefined,
    task: taskName(data, state, columns),
  }
}

const labelsOf = ({ columns }: BoardData, places: readonly number[] = []): readonly string[] =>
  places.flatMap((at) => columns[at]?.label ?? [])

interface Computed {
  readonly cells: readonly (readonly CellView[])[]
  /** By the benchmarks that they are over. */
  readonly standings: Map<string, Standings>
  readonly likeThese: Map<string, readonly RowView['whisker'][]>
}

/** Sorting, searching and a task that was ranked change neither scores nor places, which take longest. */
const computed = new WeakMap<BoardData['models'], Computed>()

const computedOf = (data: BoardData): Computed =>
  remembered(computed, data.models, () => ({
    cells: data.models.map((model) => model.cells.map((cell) => cellView(cell, data))),
    standings: new Map(),
    likeThese: new Map(),
  }))

const keyOf = (columns: readonly ColumnView[]): string => columns.map(({ index }) => index).join()

const cellsOf = (data: BoardData): Computed['cells'] => computedOf(data).cells

const standingsOf = (data: BoardData, columns: readonly ColumnView[]): Standings =>
  remembered(computedOf(data).standings, keyOf(columns), () =>
    standings(standingColumns(data, columns), data.models.length),
  )

const likeTheseOf = (data: BoardData, columns: readonly ColumnView[]): readonly RowView['whisker'][] =>
  remembered(computedOf(data).likeThese, keyOf(columns), () =>
    likeThese(standingColumns(data, columns), data.models.length),
  )

const standingColumns = (data: BoardData, columns: readonly ColumnView[]): readonly StandingColumn[] => {
  const cells = cellsOf(data)
  return columns.map((column) => standingColumn(column, cells))
}

const byPlace = (a: RowView, b: RowView): number =>
  (a.place?.rank ?? Infinity) - (b.place?.rank ?? Infinity) || a.index - b.index || 0

/** Benchmarks that a state compares; all where it names none that the board has. */
export const chosenColumns = (
  data: BoardData,
  { task, only, access }: LeaderboardState,
): readonly ColumnView[] => {
  const all = data.columns.map((column, index) => ({ ...column, index }))
  const inTask = all.filter(
    ({ category, subcategory }) => task === '' || task === category || task === `${category}/${subcategory}`,
  )
  const words = wordsOf(only)
  const named = (inTask.length === 0 ? all : inTask).filter(({ key }) => only === '' || words.includes(key))
  const open = named.filter((column) => access === '' || column.access === access)
  return [open, named, inTask, all].find((some) => some.length > 0) ?? []
}

/** Choices that no benchmark meets, a sentence each. @param columns those shown in their place */
export const unmetChoices = (
  columns: readonly ColumnView[],
  { task, only, access }: LeaderboardState,
): readonly string[] => [
  // Without a task they are none of the board's, which is told already.
  ...(task === '' || wordsOf(only).length === 0 || columns.some(({ key }) => wordsOf(only).includes(key))
    ? []
    : ['None of the benchmarks asked for is of this task: all of it are shown.']),
  ...(access === '' || columns.some((column) => column.access === access)
    ? []
    : [`None of these benchmarks has ${access} data: all are shown.`]),
]

/** Of what the view is; empty for the whole suite. */
const taskName = (
  { suite, columns }: BoardData,
  { task }: LeaderboardState,
  chosen: readonly ColumnView[],
): string => {
  const known = columns.filter(
    ({ category, subcategory }) => task === category || task === `${category}/${subcategory}`,
  )
  const [of] = task === '' ? [] : known
  const name = of === undefined ? '' : task === of.category ? of.category : of.subcategory
  if (chosen.length === (of === undefined ? columns : known).length) return name
  const [first] = chosen
  if (first !== undefined && chosen.length === 1) return first.label
  return `${plural(chosen.length, 'benchmark')} of ${name === '' ? suite : name}`
}

/** What is known of exactly these benchmarks. */
export const taskOf = ({ tasks }: BoardData, columns: readonly ColumnView[]): TaskData | undefined => {
  const wanted = keyOf(columns)
  return tasks.find((task) => task.columns.join() === wanted)
}

const standingColumn = (
  { lowerIsBetter, range, index }: ColumnView,
  cells: readonly (readonly CellView[])[],
): StandingColumn => {
  const isOff = cells.some((row) => row[index]?.isRanked === true && row[index].method.includes(OFF_SCALE))
  return {
    ...(lowerIsBetter === undefined ? {} : { lowerIsBetter }),
    ...(range === undefined || isOff ? {} : { range }),
    values: cells.map((row) => row[index]?.score ?? undefined),
  }
}

const rankView = (rank: RankData | 0): RankView | undefined => {
  if (rank === 0) return undefined
  const [, , low, high, first, likeLow, likeHigh, behind = low === 1 ? [] : undefined] = rank
  return {
    low,
    high,
    first,
    like: pairOf(likeLow, likeHigh),
    behind: behind && new Set(placesOf(behind)),
  }
}

const pairOf = (
  low: number | null,
  high: number | null,
): { readonly low: number; readonly high: number } | null =>
  low === null || high === null ? null : { low, high }

const whiskerOf = (rank: RankData | 0): RowView['whisker'] => {
  const these = rank === 0 ? null : pairOf(rank[0], rank[1])
  return these === null ? undefined : { ...these, of: 'these' }
}

/** For sets of benchmarks that no test was made for: t over the benchmarks, from eight on. */
const likeThese = (columns: readonly StandingColumn[], rows: number): readonly RowView['whisker'][] => {
  const compared = columns.filter(isComparedColumn)
  const shares = winShares(
    Array.from({ length: rows }, (_, row) =>
      compared.map(({ values, lowerIsBetter }) => {
        const value = values[row]
        return value === undefined || lowerIsBetter !== true ? value : -value
      }),
    ),
  )
  return shares.map((own) => {
    const known = own.filter((share) => share !== undefined)
    if (known.length < compared.length || known.length === 0) return undefined
    const found = winRateLikeThese(known, CONFIDENCE).known?.interval
    return found === undefined ? undefined : { ...found, of: 'like these' }
  })
}

const categoriesOf = (
  { columns: all }: BoardData,
  columns: readonly ColumnView[],
  { open }: LeaderboardState,
  room: number,
): readonly Omit<CategoryView, 'isAllTied'>[] => {
  const names = [...new Set(all.map(({ category }) => category))]
  const shown = wordsOf(open, '|')
  const chosen = names
    .map((name) => ({ name, columns: columns.filter(({ category }) => category === name) }))
    .filter((category) => category.columns.length > 0)
  const isRoomy = OF_CATEGORY * chosen.length + OF_BENCHMARK * columns.length <= room
  return chosen.map((category) => ({
    ...category,
    isOpen: open === '' ? isRoomy : shown.includes(category.name),
  }))
}

interface CategoryScores {
  readonly rows: readonly CategoryScore[]
  readonly isAllTied: boolean
}

const NO_SCORE: CategoryScore = { mean: null, ranked: 0, of: 0, isFirst: false, interval: null }

/** Averages over some columns, and who is first by them. */
const categoryScores = (data: BoardData, columns: readonly ColumnView[]): CategoryScores => {
  const { rows } = standingsOf(data, columns)
  const task = taskOf(data, columns)
  const ranks = rows.map((_, index) => rankView(task?.ranks[index] ?? 0))
  const known = ranks.filter((rank) => rank?.low != null)
  const isAllTied = known.length > 1 && known.every((rank) => rank?.low === 1)
  return {
    isAllTied,
    rows: rows.map(({ average: { mean, ranked, of } }, index) => ({
      mean,
      ranked,
      of,
      isFirst: !isAllTied && ranks[index]?.low === 1,
      interval: ranked === of ? averageOf(task, index) : null,
    })),
  }
}

const averageOf = (task: TaskData | undefined, model: number): CategoryScore['interval'] => {
  const ends = task?.averages?.[model]
  return ends === undefined || ends === 0 ? null : pairOf(...ends)
}

const failedOf = (cells: readonly CellView[]): number | null => {
  const requests = cells.reduce((sum, cell) => sum + cell.requests, 0)
  return requests === 0 ? null : cells.reduce((sum, { lost }) => sum + lost, 0) / requests
}

/** Whether a cell is the best of its column, or shares a letter with those that are. */
export const isAmongBest = (cell: CellView, best: string): boolean =>
  cell.isRanked && (cell.best !== undefined || shareLetter(cell.groups, best))

/** Marks that every ranked model would have tell nothing. */
export const bestGroups = ({ all }: Pick<BoardView, 'all'>, index: number): string | undefined => {
  const ranked = all.flatMap(({ cells }) => (cells[index]?.isRanked === true ? [cells[index]] : []))
  const best = ranked.find((cell) => cell.best !== undefined)?.groups ?? ''
  return ranked.length > 1 && ranked.every((cell) => isAmongBest(cell, best)) ? undefined : best
}
