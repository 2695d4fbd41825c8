import { csv } from '../../test/demo/csv.ts'

/** Comma-separated rows under their heads. Null is an empty cell, never 0. */
export const csvText = (
  heads: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string =>
  csv(
    heads,
    rows.map((cells) => cells.map((cell) => (cell === null ? '' : String(cell)))),
  ).trimEnd()
