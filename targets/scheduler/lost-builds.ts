import type { Store, StoreTable } from '../../cache/store.ts'
import type { Digest } from '../../cache/values/digest.ts'
import { storedInstanceList } from '../record/instance-ref.ts'
import { getRecord, getRows, type RunRecord, type RowTable } from '../record/record.ts'
import { placesOfRows } from '../record/recorded-places.ts'
import { subSplitsId } from '../record/sub-split-names.ts'
import { finishedBuilds } from '../record/trace.ts'
import { remembered } from '../../cache/once.ts'

/** A finished build of which the store lost something. */
export interface LostBuild {
  /** Its id in `traces`: without it the target is built anew. */
  readonly trace: string
  /** The run's. */
  readonly name: string
  readonly table: StoreTable
  readonly id: string
}

export interface ResultStores {
  readonly open: Store
  /** Undefined where there is none, or where it can't be opened. */
  readonly vault: Store | undefined
}

/**
 * Follows every finished build to all that it stands on: rows, instances, prompts, completions, judgements, values.
 * Builds whose rows lie in a vault that is not at hand are passed over.
 */
export function* lostBuilds({ open, vault }: ResultStores): Generator<LostBuild, void, undefined> {
  const inOpen = presenceIn(open)
  const inVault = vault === undefined ? undefined : presenceIn(vault)
  for (const { id: trace, digest } of finishedBuilds(open)) {
    const record = getRecord(digest, open)
    // Without its record the target counts as not built.
    if (record === undefined) continue
    const openRows = getRows(digest, record, open)
    const rows = openRows ?? (vault === undefined ? undefined : getRows(digest, record, vault))
    const isThere = openRows === undefined ? inVault : inOpen
    const named = { trace, name: record.name }
    if (isThere === undefined) continue
    if (rows === undefined) yield { ...named, table: 'records', id: digest }
    else {
      const lost = firstLost({ record, digest }, rows, isThere)
      if (lost !== undefined) yield { ...named, ...lost }
    }
  }
}

type Lost = Pick<LostBuild, 'table' | 'id'>
type Presence = ReturnType<typeof presenceIn>

const firstLost = (
  { record, digest }: { readonly record: RunRecord; readonly digest: Digest<'record'> },
  rows: RowTable,
  { list, holds }: Presence,
): Lost | undefined => {
  const lost = list(record.instances)
  if (lost !== undefined) return lost
  const names = { table: 'records', id: subSplitsId(digest) } as const
  if (record.hasNumberedSubSplits === true && !holds(names.table, names.id)) return names
  for (const { tables, id } of placesOfRows(rows))
    if (!tables.some((table) => holds(table, id))) return { table: tables.at(-1) ?? 'metrics', id }
  return undefined
}

/** Whether values are there, each looked at once: several builds share most of theirs. */
const presenceIn = (store: Store) => {
  const known = new Map<string, boolean>()
  const has = (table: StoreTable, id: string): boolean =>
    remembered(known, `${table}/${id}`, () => store.has(table, id))
  /** Values are there together with their names. */
  const holds = (table: StoreTable, id: string): boolean =>
    table === 'metrics'
      ? remembered(known, `values/${id}`, () => {
          const stored = store.get('metrics', id) as { readonly names: string } | undefined
          return stored !== undefined && has('metrics', stored.names)
        })
      : has(table, id)
  const lists = new Map<string, Lost | undefined>()
  const list = (id: string): Lost | undefined => {
    if (!lists.has(id)) lists.set(id, lostOf(id))
    return lists.get(id)
  }
  const lostOf = (id: string): Lost | undefined => {
    const stored = storedInstanceList(id, store)
    if (stored === undefined) return { table: 'instances', id }
    const missing = stored.refs.find(({ digest }) => !has('instances', digest))
    return missing && { table: 'instances', id: missing.digest }
  }
  return { holds, list }
}

/** Forgets the builds that stand on something lost: the next run makes them again, with hits for all that is there. */
export const dropLostBuilds = async (stores: ResultStores): Promise<readonly LostBuild[]> => {
  const lost = [...lostBuilds(stores)]
  for (const { trace } of lost) await stores.open.remove('traces', trace)
  return lost
}
