import { dumps, loads } from '../../benchmarks/python/json.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { Chat } from '../../benchmarks/scenario/chat.ts'
import type { Instance, Split } from '../../benchmarks/scenario/instance.ts'
import { digestJson, type Digest } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'

/**
 * An instance as the store keeps it. The id is not part of it: a row put in front of others shifts their ids,
 * and must not make them other instances.
 */
export interface StoredInstance extends JsonObject {
  readonly text: string
  /** Python JSON text of a chat; absent for all else. */
  readonly messages?: string
  readonly references: readonly { readonly text: string; readonly tags: readonly string[] }[]
  readonly split: string
  readonly subSplit: string | null
  /** Python JSON text: keeps `1` and `1.0` and the order of integer-like keys apart. */
  readonly extraData: string | null
}

export const storedInstance = (instance: Instance): StoredInstance => ({
  text: instance.input.text,
  ...(instance.input.messages === undefined ? {} : { messages: dumps(instance.input.messages) }),
  references: instance.references.map(({ text, tags }) => ({ text, tags })),
  split: instance.split,
  subSplit: instance.subSplit ?? null,
  extraData: instance.extraData === undefined ? null : dumps(instance.extraData),
})

export const instanceDigest = (stored: StoredInstance): Digest<'instance'> => digestJson<'instance'>(stored)

export const instanceOf = (id: string | number, stored: StoredInstance): Instance => ({
  id,
  input: {
    text: stored.text,
    ...(stored.messages === undefined ? {} : { messages: loads(stored.messages) as Chat }),
  },
  references: stored.references,
  split: stored.split as Split,
  ...(stored.subSplit === null ? {} : { subSplit: stored.subSplit }),
  ...(stored.extraData === null
    ? {}
    : { extraData: loads(stored.extraData) as ReadonlyMap<string, PyValue> }),
})
