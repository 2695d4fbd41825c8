import type { ColumnTests } from '../../../../targets/compare/ranks/column-tests.ts'
import { useLoaded } from '../../client/use-loaded.ts'
import type { LoadChunk } from '../../components/text/whole-text.ts'
import type { BenchmarkValues } from '../../values/values-files.ts'
import type { BoardData, TaskData } from './board/board-data.ts'
import { chosenColumns, taskOf, type ColumnView } from './board/board-view.ts'
import { chunksOf, ownTask, testsOfColumn, type LoadedColumn } from './own-ranks.ts'
import type { LeaderboardState } from './state.ts'

interface OwnTask {
  /** The data, with the reader's own set among its tasks once that is ranked. */
  readonly data: BoardData
  readonly isReckoning: boolean
}

/** Ranks a set of benchmarks that the board brings no tests of. */
export const useOwnTask = (data: BoardData, state: LeaderboardState, load: LoadChunk): OwnTask => {
  const columns = chosenColumns(data, state)
  const key = columns.map(({ index }) => index).join()
  const keys = taskOf(data, columns) === undefined ? chunksOf(columns) : undefined
  const task = useLoaded(keys && key, (isWanted) => rankColumns(data, columns, { load, isWanted }))
  // Without values the board says that the set was not tested.
  if (keys === undefined || task === null) return { data, isReckoning: false }
  return task === undefined
    ? { data, isReckoning: true }
    : { data: { ...data, tasks: [...data.tasks, task] }, isReckoning: false }
}

/** Tests that were made are kept: sets that a reader tries share most of their benchmarks. */
const tested = new Map<string, ColumnTests>()

/** Milliseconds of work after which the page may draw and listen. */
const SLICE = 20

const rankColumns = async (
  data: BoardData,
  columns: readonly ColumnView[],
  { load, isWanted }: { readonly load: LoadChunk; readonly isWanted: () => boolean },
): Promise<TaskData> => {
  const loaded: readonly LoadedColumn[] = await Promise.all(
    columns.map(async ({ index, values = '' }) => ({
      index,
      values: (await load(values)) as BenchmarkValues,
    })),
  )
  const steps = ownTask(data, loaded, (column) => {
    const key = data.columns[column.index]?.values ?? ''
    const known = tested.get(key) ?? testsOfColumn(data, column)
    tested.set(key, known)
    return known
  })
  for (let since = performance.now(); ;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() - since < SLICE) continue
    await new Promise((done) => setTimeout(done))
    if (!isWanted()) throw new Error('another set is asked for')
    since = performance.now()
  }
}
