import { digestOf } from '../../../cache/digest.ts'
import type { Json } from '../../../cache/json.ts'
import type { Store } from '../../../cache/store.ts'
import type { RunValues } from '../../../targets/board/board-columns.ts'
import { boardPairs, type ColumnPairs } from '../../../targets/board/board-pairs.ts'
import type { Board } from '../../../targets/board/board.ts'

/** Raised when the same values give other pairs. */
const VERSION = 1

/**
 * How a board's models differ, reckoned once for the same records.
 * @param records digests of the records that `values` come from
 */
export const storedPairs = async (
  board: Board,
  values: readonly RunValues[],
  { records, store }: { readonly records: readonly string[]; readonly store: Store },
): Promise<readonly ColumnPairs[]> => {
  const shown = [board.benchmarks, board.rows.map(({ model, cells }) => [model, cells])]
  const id = `pairs:${VERSION}:${digestOf<'text'>(JSON.stringify([records, shown]))}`
  const known = store.get('files', id) as unknown as readonly ColumnPairs[] | undefined
  if (known !== undefined) return known
  const made = boardPairs(board, values)
  await store.put('files', id, made as unknown as Json)
  return made
}
