import { canonicalJson, digestJson } from '../../../cache/values/digest.ts'
import type { JsonObject } from '../../../cache/values/json.ts'
import type { Store } from '../../../cache/store.ts'
import type { EmbeddingCache } from './bert-score.ts'

/** Embeddings in the store by encoder and token ids; garbage collection may drop them, they are made again. */
export const embeddingCache = (store: Store, encoder: JsonObject): EmbeddingCache => {
  const prefix = digestJson<'metric'>({ stage: 'embeddings', encoder })
  const idOf = (ids: readonly number[]): string =>
    `embedding-${digestJson<'metric'>([prefix, canonicalJson(ids)])}`
  return {
    get: (ids) => {
      const stored = store.get('metrics', idOf(ids)) as { size: number; values: string } | undefined
      if (stored === undefined) return undefined
      // Copied: a decoded buffer need not begin where floats may.
      const bytes = Uint8Array.from(Buffer.from(stored.values, 'base64'))
      return { size: stored.size, values: new Float32Array(bytes.buffer) }
    },
    put: async (ids, { size, values }) => {
      const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
      await store.put('metrics', idOf(ids), { size, values: bytes.toString('base64') })
    },
  }
}
