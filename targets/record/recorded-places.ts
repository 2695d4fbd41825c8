import type { Store, StoreTable } from '../../cache/store.ts'
import type { Digest } from '../../cache/values/digest.ts'
import { storedInstanceList } from './instance-ref.ts'
import { chunkIds, getRecord, getRows, type RowTable } from './record.ts'
import { subSplitsId } from './sub-split-names.ts'

/** Where a part of a record lies. */
interface RecordedPlace {
  /** A digest is of one table only; which of several, its record does not tell. */
  readonly tables: readonly StoreTable[]
  readonly id: string
}

/** What the rows of a record name, row by row. */
export function* placesOfRows(rows: RowTable): Generator<RecordedPlace, void, undefined> {
  for (let row = 0; row < rows.length; row += 1)
    for (let column = 0; column < rows.columns; column += 1) {
      const id = rows.get(row, column)
      if (id !== undefined) yield { tables: TABLES[column] ?? RESULTS, id }
    }
}

const TABLES: readonly (readonly StoreTable[])[] = [['prompts'], ['completions']]
const RESULTS: readonly StoreTable[] = ['annotations', 'metrics']

/**
 * All that a record stands on: its rows, its instances, and what the rows name. The names of metrics' values are shared
 * by all records, and not among it. Nothing where the record or its rows are lost.
 *
 * @param stores where records lie, and where the benchmark's texts do
 */
export function* recordedPlaces(
  digest: Digest<'record'>,
  { records, texts }: { readonly records: Store; readonly texts: Store },
): Generator<RecordedPlace, void, undefined> {
  const record = getRecord(digest, records)
  const rows = record && getRows(digest, record, texts)
  if (record === undefined || rows === undefined) return
  for (const id of chunkIds(digest, record)) yield { tables: ['records'], id }
  if (record.hasNumberedSubSplits === true) yield { tables: ['records'], id: subSplitsId(digest) }
  yield { tables: ['instances'], id: record.instances }
  for (const ref of storedInstanceList(record.instances, texts)?.refs ?? [])
    yield { tables: ['instances'], id: ref.digest }
  yield* placesOfRows(rows)
}
