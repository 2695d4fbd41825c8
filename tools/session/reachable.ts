import type { Reachable } from '../../cache/collect-garbage.ts'
import type { Digest } from '../../cache/values/digest.ts'
import type { StoreTable } from '../../cache/store.ts'
import { getRows } from '../../targets/record/record.ts'
import { keepingFor } from '../../targets/env/restricted-env.ts'
import { targetKey } from '../../targets/keys/target-key.ts'
import { readTrace } from '../../targets/scheduler/trace.ts'
import { getRecord } from '../../targets/record/record.ts'
import type { Target } from '../../targets/record/target.ts'
import { annotationColumns } from '../../targets/stages/annotations.ts'
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
  for (const each of stores)
    for (const { id } of each.entries('metrics')) if (id.startsWith('names-')) add('metrics', id)
  for (const target of targets) {
    const { digest } = await targetKey(target, env.profile)
    add('traces', `target:${digest}`)
    add('traces', `last:${target.spec.name}`)
    const trace = readTrace(digest, store)
    if (trace === undefined) continue
    addRecord(trace.record, target, (await keepingFor(target.spec.benchmark, env)).store, add)
  }
  return keep
}

const addRecord = (
  digest: Digest<'record'>,
  target: Target,
  store: Session['store'],
  add: (table: StoreTable, id: string | undefined) => void,
): void => {
  const record = getRecord(digest, store)
  const rows = record && getRows(digest, record, store)
  if (record === undefined || rows === undefined) return
  add('records', digest)
  for (const { id } of store.entries('records')) if (id.startsWith(`${digest}:`)) add('records', id)
  add('instances', record.instances)
  const list = store.get('instances', record.instances) as
    | { refs: readonly (readonly [unknown, unknown, string])[] }
    | undefined
  for (const [, , instance] of list?.refs ?? []) add('instances', instance)
  const annotations = annotationColumns(target)
  for (let row = 0; row < rows.length; row += 1) {
    add('prompts', rows.get(row, 0))
    for (let column = 0; column < annotations; column += 1) add('annotations', rows.get(row, 2 + column))
    for (let metric = 2 + annotations; metric < rows.columns; metric += 1)
      add('metrics', rows.get(row, metric))
  }
}
