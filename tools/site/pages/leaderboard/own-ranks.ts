import { intervalsOver, rankDoubtsOf, type TestedColumn } from '../../../../targets/board/board-ranks.ts'
import type { Spent } from '../../../../targets/board/board.ts'
import { sumOfCosts } from '../../../../targets/spend/spending.ts'
import { ColumnTests } from '../../../../targets/compare/ranks/column-tests.ts'
import { alignedLists, type AlignedVectors } from '../../../../targets/runs/aligned-vectors.ts'
import type { Interval } from '../../../../targets/statistics/intervals/wilson.ts'
import type { Steps } from '../../../../targets/statistics/scale.ts'
import { unpacked, unpackedSources } from '../../values/packed.ts'
import type { BenchmarkValues, SpentSum } from '../../values/values-files.ts'
import type { BoardData, ColumnData, SpentData, TaskData } from './board/board-data.ts'
import { doubtData, spentData } from './rank-data.ts'

/** A column's values as the page loaded them. */
export interface LoadedColumn {
  /** Place in the data. */
  readonly index: number
  readonly values: BenchmarkValues
}

/** A set of benchmarks of the reader's own, ranked by the functions that rank the board's own tasks. */
export function* ownTask(
  data: BoardData,
  loaded: readonly LoadedColumn[],
  testsOf: (column: LoadedColumn) => ColumnTests,
): Steps<TaskData> {
  const compared: TestedColumn[] = []
  for (const column of loaded) {
    yield
    const { lowerIsBetter } = data.columns[column.index] ?? {}
    const ranked = data.models.filter(({ cells }) => isRanked(cells[column.index]))
    if (lowerIsBetter === undefined || ranked.length < 2) continue
    const tests = testsOf(column)
    compared.push({ tests, column: { ...tests.column, lowerIsBetter } })
  }
  // Doubt about fewer runs would be doubt about another place.
  const isWhole = loaded.every(({ index, values: { scenarios } }) =>
    data.models.every(
      ({ cells }, row) => !isRanked(cells[index]) || scenarios.some(({ values }) => values[row] !== 0),
    ),
  )
  const ranks = isWhole
    ? yield* rankDoubtsOf(
        data.models.map(({ key }) => key),
        compared,
      )
    : []
  return {
    category: '',
    subcategory: '',
    columns: loaded.map(({ index }) => index),
    ...doubtData(
      data.models.map((_, row) => (compared.length === 0 ? null : (ranks[row] ?? null))),
      isWhole ? averagesOver(data, loaded, testsOf) : [],
      new Map(data.columns.map(({ key }, at) => [key, at])),
    ),
    spent: data.models.map((_, row) => spentOver(loaded.map(({ values }) => values.spent[row] ?? 0))),
  }
}

/** By model, over the columns that averages are of. */
const averagesOver = (
  { columns, models }: BoardData,
  loaded: readonly LoadedColumn[],
  testsOf: (column: LoadedColumn) => ColumnTests,
): readonly (Interval | null)[] => {
  const averaged = loaded.flatMap((column) => {
    const { lowerIsBetter, range } = columns[column.index] ?? {}
    const ranked = models.filter(({ cells }) => isRanked(cells[column.index])).length
    if (lowerIsBetter === undefined || range === undefined || ranked < Math.min(2, models.length)) return []
    // Values off the scale are no shares of it: standings leave the column out, too.
    return testsOf(column).unit(lowerIsBetter) ?? []
  })
  return intervalsOver(
    averaged,
    models.map(() => true),
  )
}

/** The tests of a column's ranked models. */
export const testsOfColumn = (data: BoardData, { index, values }: LoadedColumn): ColumnTests => {
  const { key = '', isBinary = false, range } = data.columns[index] ?? {}
  return new ColumnTests({
    benchmark: key,
    isBinary,
    ...(range && { range }),
    strata: values.scenarios.flatMap((scenario) => stratumOf(data, index, scenario) ?? []),
  })
}

/** Only instances that a ranked model was asked. */
const stratumOf = (
  { models }: BoardData,
  index: number,
  { values, sources: given, areMeans }: BenchmarkValues['scenarios'][number],
): AlignedVectors | undefined => {
  const own = models.map(({ cells }, row) => {
    const run = values[row] ?? 0
    return run === 0 || !isRanked(cells[index]) ? undefined : unpacked(run)
  })
  const first = own.find((each) => each !== undefined)
  if (first === undefined) return undefined
  const asked = first.flatMap((_, at) => (own.some((each) => each?.[at] !== undefined) ? [at] : []))
  const { sources, areRows = false } = unpackedSources(given)
  return {
    ...alignedLists(
      asked.length,
      own.map((each) => each && asked.map((at) => each[at])),
    ),
    ...(areMeans && { areMeans }),
    ...(sources && { sources: asked.map((at) => String(sources[at])), areRows }),
  }
}

type Cell = BoardData['models'][number]['cells'][number]

/** As a cell's standing says. */
const isRanked = (cell: Cell | undefined): boolean =>
  cell !== undefined && cell !== 0 && (cell[6] ?? 0) !== -1

const spentOver = (sums: readonly (SpentSum | 0)[]): SpentData | 0 => {
  const known = sums.filter((sum) => sum !== 0)
  if (known.length === 0 || known.length < sums.length) return 0
  const total = (at: 0 | 3 | 5): number => known.reduce((sum, each) => sum + each[at], 0)
  const told = (at: 1 | 2 | 4): number | null => sumOfCosts(known.map((each) => each[at]))
  const [calls, seconds, timed] = [total(0), total(3), total(5)]
  const spent: Spent = {
    calls,
    inputTokens: told(1),
    outputTokens: told(2),
    latency: timed === 0 ? null : seconds / timed,
    usd: told(4),
  }
  return spentData(spent)
}

/** The benchmarks of a set that its columns name, each loaded. */
export const chunksOf = (columns: readonly ColumnData[]): readonly string[] | undefined => {
  const keys = columns.flatMap(({ values }) => values ?? [])
  return keys.length < columns.length ? undefined : keys
}
