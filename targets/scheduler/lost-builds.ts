import type { Digest } from '../../cache/values/digest.ts'
import type { Store, StoreTable } from '../../cache/store.ts'
import { getRecord, getRows, type RunRecord } from '../record/record.ts'
import type { RowTable } from '../record/rows.ts'
import type { Trace } from './trace.ts'

/** A finished build of which the store lost something. */
export interface LostBuild {
  /** Its id in `traces`: without it the target is built anew. */
  readonly trace: string
  /** The run's. */
  readonly name: string
  readonly table: StoreTable
  readonly id: string
}

/** The stores in which results lie. */
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
  for (const { id: trace } of open.entries('traces')) {
    if (!trace.startsWith('target:')) continue
    const digest = (open.get('traces', trace) as Trace | undefined)?.record
    // Without its record the target counts as not built.
    const record = digest && getRecord(digest, open)
    if (digest === undefined || record === undefined) continue
    const openRows = getRows(digest, record, open)
    const rows = openRows ?? (vault === undefined ? undefined : getRows(digest, record, vault))
    const isThere = openRows === undefined ? inVault : inOpen
    const named = { trace, name: record.name }
    if (isThere === undefined) continue
    if (rows === undefined) yield { ...named, table: 'records', id: digest }
    else {
      const lost = firstLost(record, rows, isThere)
      if (lost !== undefined) yield { ...named, ...lost }
    }
  }
}

type Lost = Pick<LostBuild, 'table' | 'id'>
type Presence = ReturnType<typeof presenceIn>

const firstLost = (record: RunRecord, rows: RowTable, { list, value, has }: Presence): Lost | undefined => {
  const lost = list(record.instances)
  if (lost !== undefined) return lost
  for (let row = 0; row < rows.length; row += 1)
    for (let column = 0; column < rows.columns; column += 1) {
      const id = rows.get(row, column)
      if (id === undefined) continue
      const table = COLUMNS[column]
      if (table === undefined ? !value(id) : !has(table, id)) return { table: table ?? 'metrics', id }
    }
  return undefined
}

/** What the first columns of a row hold; judgements come next, then the metrics' values. */
const COLUMNS = ['prompts', 'completions'] as const

/** Whether values are there, each looked at once: several builds share most of theirs. */
const presenceIn = (store: Store) => {
  const known = new Map<string, boolean>()
  const remember = (key: string, look: () => boolean): boolean => {
    const before = known.get(key)
    if (before !== undefined) return before
    const found = look()
    known.set(key, found)
    return found
  }
  const has = (table: StoreTable, id: string): boolean =>
    remember(`${table}/${id}`, () => store.has(table, id))
  /** A judgement, or values together with their names. */
  const value = (id: Digest): boolean =>
    has('annotations', id) ||
    remember(`values/${id}`, () => {
      const stored = store.get('metrics', id) as { readonly names: string } | undefined
      return stored !== undefined && has('metrics', stored.names)
    })
  const lists = new Map<string, Lost | undefined>()
  const list = (id: string): Lost | undefined => {
    if (!lists.has(id)) lists.set(id, lostOf(id))
    return lists.get(id)
  }
  const lostOf = (id: string): Lost | undefined => {
    const stored = store.get('instances', id) as
      | { readonly refs: readonly (readonly [unknown, unknown, string])[] }
      | undefined
    if (stored === undefined) return { table: 'instances', id }
    const missing = stored.refs.find(([, , instance]) => !has('instances', instance))
    return missing && { table: 'instances', id: missing[2] }
  }
  return { has, value, list }
}

/** Forgets the builds that stand on something lost: the next run makes them again, with hits for all that is there. */
export const dropLostBuilds = async (stores: ResultStores): Promise<readonly LostBuild[]> => {
  const lost = [...lostBuilds(stores)]
  for (const { trace } of lost) await stores.open.remove('traces', trace)
  return lost
}
