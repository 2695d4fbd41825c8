import { LostValueError } from '../../cache/problems/lost-value.ts'
import type { Store } from '../../cache/store.ts'
import type { Digest } from '../../cache/values/digest.ts'
import type { RunRecord } from './record.ts'
import { renameSubSplits, subSplitsId } from './sub-split-names.ts'
import { traceId } from './trace.ts'

/**
 * A record as it was built: with its sub-splits by name.
 * @param store where the benchmark's texts lie
 * @throws LostValueError where the store no longer has the names
 */
export const namedRecord = (
  { record, digest }: { readonly record: RunRecord; readonly digest: Digest<'record'> },
  store: Store,
): RunRecord => {
  const { hasNumberedSubSplits = false, ...numbered } = record
  if (!hasNumberedSubSplits) return record
  const id = subSplitsId(digest)
  const names = store.get('records', id) as readonly string[] | undefined
  return renameSubSplits(numbered, (number) => {
    const name = names?.[Number(number)]
    if (name !== undefined) return name
    const what = `the names of sub-splits (${record.name})`
    throw new LostValueError({ table: 'records', id, what, trace: traceId(record.target) })
  })
}
