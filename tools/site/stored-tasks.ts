import { digestOf } from '../../cache/digest.ts'
import type { Json } from '../../cache/json.ts'
import type { Store } from '../../cache/store.ts'
import type { RunValues } from '../../targets/board/board-columns.ts'
import { rankedTasks, type RankedTask } from '../../targets/board/board-tasks.ts'
import type { Board } from '../../targets/board/board.ts'

/** Raised when the same values give other ranks. */
const VERSION = 1

/**
 * How sure places are within each category and subcategory, reckoned once for the same records.
 * @param records digests of the records that `values` come from
 */
export const storedTasks = async (
  board: Board,
  values: readonly RunValues[],
  { records, store }: { readonly records: readonly string[]; readonly store: Store },
): Promise<readonly RankedTask[]> => {
  const shown = [board.benchmarks, board.rows.map(({ model, cells }) => [model, cells])]
  const id = `tasks:${VERSION}:${digestOf<'text'>(JSON.stringify([records, shown]))}`
  const known = store.get('files', id) as unknown as readonly RankedTask[] | undefined
  if (known !== undefined) return known
  const made = rankedTasks(board, values)
  await store.put('files', id, made as unknown as Json)
  return made
}
