import type { Digest } from '../../cache/values/digest.ts'
import type { RunRecord } from './record.ts'
import type { Stat } from './stat.ts'

/** Where the names of a record's sub-splits lie, beside its rows: with the texts of the data, which they are from. */
export const subSplitsId = (digest: Digest<'record'>): string => `${digest}:sub-splits`

/** A record with its sub-splits numbered from 0 in the order of its stats, and their names; the record itself where it has none. */
export const numberSubSplits = (
  record: RunRecord,
): { readonly record: RunRecord; readonly names: readonly string[] } => {
  const numbers = new Map<string, string>()
  const numbered = renameSubSplits(record, (name) => {
    const number = numbers.get(name) ?? String(numbers.size)
    numbers.set(name, number)
    return number
  })
  return numbers.size === 0
    ? { record, names: [] }
    : { record: { ...numbered, hasNumberedSubSplits: true }, names: [...numbers.keys()] }
}

export const renameSubSplits = (record: RunRecord, rename: (subSplit: string) => string): RunRecord => {
  const each = (stat: Stat): Stat => {
    const { subSplit } = stat.name
    return subSplit === undefined ? stat : { ...stat, name: { ...stat.name, subSplit: rename(subSplit) } }
  }
  return { ...record, stats: record.stats.map(each), ownStats: record.ownStats.map(each) }
}
