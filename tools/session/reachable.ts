import type { Reachable } from '../../cache/collect-garbage.ts'
import type { StoreTable } from '../../cache/store.ts'
import { keepingFor } from '../../targets/env/env.ts'
import { targetKey } from '../../targets/keys/keys.ts'
import { recordedPlaces } from '../../targets/record/recorded-places.ts'
import type { Target } from '../../targets/record/target.ts'
import { lastBuildId, readTrace, traceId } from '../../targets/record/trace.ts'
import { pointNames } from '../../targets/stages/metrics.ts'
import type { Session } from './session.ts'

/**
 * Everything that the targets' records stand on, in the store and in the vault. Completions are not among the tables:
 * they are never collected.
 */
export const reachable = async (
  targets: readonly Target[],
  { store, vault, env }: Session,
): Promise<Reachable> => {
  const keep = new Map<StoreTable, Set<string>>(
    (['instances', 'prompts', 'annotations', 'metrics', 'records', 'traces'] as const).map((table) => [
      table,
      new Set(),
    ]),
  )
  const add = (table: StoreTable, id: string | undefined): void => {
    if (id !== undefined) keep.get(table)?.add(id)
  }
  const stores = [store, ...(vault.exists() ? [await vault.store()] : [])]
  for (const each of stores) for (const id of pointNames(each)) add('metrics', id)
  for (const target of targets) {
    const { digest } = await targetKey(target, env.profile)
    add('traces', traceId(digest))
    add('traces', lastBuildId(target.spec.name))
    const trace = readTrace(digest, store)
    if (trace === undefined) continue
    const own = (await keepingFor(target.spec.benchmark, env)).store
    const places = [...recordedPlaces(trace.record, { records: own, texts: own })]
    if (places.length > 0) add('records', trace.record)
    for (const { tables, id } of places) for (const table of tables) add(table, id)
  }
  return keep
}
