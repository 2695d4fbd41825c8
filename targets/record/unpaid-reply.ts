import { remembered } from '../../cache/once.ts'
import type { Digest } from '../../cache/values/digest.ts'
import type { Store } from '../../cache/store.ts'
import { storedCompletion } from './completion.ts'

const PREFIX = 'unpaid:'

const noteOf = (benchmark: string, completion: string): string => `${PREFIX}${benchmark}:${completion}`

/**
 * Notes of a reply of a model in this process, which is in no ledger, whose it is, for it to go along should the
 * benchmark's access change. To be called before the reply is put into the same store, in the same turn.
 */
export const noteUnpaid = (
  benchmark: string,
  completion: Digest<'completion'>,
  store: Store,
): Promise<void> => store.put('files', noteOf(benchmark, completion), true)

/** The completions that were noted, by benchmark. */
export const unpaidReplies = (store: Store): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>()
  for (const { id } of store.entries('files')) {
    const at = id.lastIndexOf(':')
    if (id.startsWith(PREFIX)) remembered(found, id.slice(PREFIX.length, at), () => []).push(id.slice(at + 1))
  }
  return found
}

export const forgetUnpaid = (benchmark: string, completion: string, store: Store): Promise<void> =>
  store.remove('files', noteOf(benchmark, completion))

/** Whether a store has it, and as one of a model in this process. */
export const isUnpaid = (completion: string, store: Store): boolean => {
  if (!store.has('completions', completion)) return false
  const { key, imported } = storedCompletion(store.get('completions', completion)) ?? {}
  return imported !== true && IN_PROCESS.has(key?.['protocol'])
}

const IN_PROCESS: ReadonlySet<unknown> = new Set(['baseline', 'simple', 'local'])
