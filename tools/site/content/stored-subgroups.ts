import { digestOf } from '../../../cache/digest.ts'
import type { Json } from '../../../cache/json.ts'
import type { Store } from '../../../cache/store.ts'
import { boardSubgroups, type GroupedRun, type Subgroups } from '../../../targets/board/board-subgroups.ts'
import type { Board } from '../../../targets/board/board.ts'

/** Raised when the same values give other scores. */
const VERSION = 1

/**
 * Scores by attribute, reckoned once for the same records.
 * @param records digests of the records that `runs` come from: groups follow from their lists of instances
 */
export const storedSubgroups = async (
  board: Board,
  runs: readonly GroupedRun[],
  { records, store }: { readonly records: readonly string[]; readonly store: Store },
): Promise<readonly Subgroups[]> => {
  const shown = [
    board.benchmarks,
    board.rows.map(({ model }) => model.deployment),
    runs.map(({ attributes }) => attributes),
  ]
  const id = `subgroups:${VERSION}:${digestOf<'text'>(JSON.stringify([records, shown]))}`
  const known = store.get('files', id) as unknown as readonly Subgroups[] | undefined
  if (known !== undefined) return known
  const made = boardSubgroups(board, runs)
  await store.put('files', id, made as unknown as Json)
  return made
}
