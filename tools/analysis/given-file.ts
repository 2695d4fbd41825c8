import { givenRows, takenFor } from '../../benchmarks/sources/given/given-table.ts'
import { readBytes } from '../../benchmarks/sources/read-text.ts'
import type { Table } from '../../benchmarks/sources/table.ts'

export const TABLE_FILE = /\.(?:csv|tsv|txt|xlsx|jsonl?|ndjson)$/i

/**
 * A table that a user names: ratings, labels, a leaderboard, costs.
 * @param what it is, e.g. `ratings file`
 * @param warn takes what the file was taken for, where it could be something else
 * @throws ProblemError as `givenRows`
 */
export const readGivenFile = async (
  file: string,
  what: string,
  warn?: (text: string) => void,
): Promise<Table> => {
  const given = givenRows(await readBytes(file, what), file)
  const taken = takenFor(given)
  if (taken !== undefined) warn?.(taken)
  return given.table
}
