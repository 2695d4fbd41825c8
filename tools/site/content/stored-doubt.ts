import { digestOf } from '../../../cache/digest.ts'
import type { Json } from '../../../cache/json.ts'
import type { Store } from '../../../cache/store.ts'
import type { RunValues } from '../../../targets/board/board-columns.ts'
import { boardDoubt, type BoardDoubt } from '../../../targets/board/board-doubt.ts'
import type { Board } from '../../../targets/board/board.ts'

/** Raised when the same values give another doubt. */
const VERSION = 2

/**
 * A board's doubt, reckoned once for the same records.
 * @param records digests of the records that `values` come from
 */
export const storedDoubt = async (
  board: Board,
  values: readonly RunValues[],
  { records, store }: { readonly records: readonly string[]; readonly store: Store },
): Promise<BoardDoubt> => {
  // Rows, their order and what is ranked follow from the records, and from what the benchmarks say of their metrics.
  const shown = [board.benchmarks, board.winRateColumns, board.rows.map(({ model, cells }) => [model, cells])]
  const id = `doubt:${VERSION}:${digestOf<'text'>(JSON.stringify([records, shown]))}`
  const known = store.get('files', id) as unknown as BoardDoubt | undefined
  if (known !== undefined) return known
  const made = boardDoubt(board, values)
  await store.put('files', id, made as unknown as Json)
  return made
}
