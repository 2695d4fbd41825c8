import type { Split } from '../../benchmarks/scenario/instance.ts'
import { asJson, storedShape } from '../../cache/stored-shape.ts'
import type { Store } from '../../cache/store.ts'
import type { Digest } from '../../cache/values/digest.ts'
import type { Json, JsonObject } from '../../cache/values/json.ts'
import type { SkippedRows } from './skipped-rows.ts'

/** One instance of a scenario by reference: its body is read when a later stage needs it. */
export interface InstanceRef {
  readonly id: string | number
  readonly split: Split
  readonly subSplit?: string
  readonly digest: Digest<'instance'>
  /** `Instance.cluster`: no part of the body, for it alters no prompt and no score. */
  readonly cluster?: string
  /** `Instance.attributes`; likewise. */
  readonly attributes?: Readonly<Record<string, string>>
}

/** The instances of a benchmark as the store keeps them. */
export interface StoredInstanceList {
  /** In the data's order, all splits. */
  readonly refs: readonly InstanceRef[]
  /** Rows of the data that became no instance; absent where none was skipped. */
  readonly skipped?: SkippedRows
}

const listShape = storedShape<Omit<StoredInstanceList, 'refs'> & { readonly refs: readonly Json[] }>(
  'a list of instances',
  { refs: 'list' },
)

/** Undefined where the store lacks it. */
export const storedInstanceList = (list: string, store: Store): StoredInstanceList | undefined => {
  const stored = listShape(store.get('instances', list))
  if (stored === undefined) return undefined
  const { refs, skipped } = stored
  return { refs: refs.map(unpackRef), ...(skipped === undefined ? {} : { skipped }) }
}

/** The same for the store, its key beside it. */
export const packedList = (key: JsonObject, { refs, ...told }: StoredInstanceList): Json =>
  asJson({ key, refs: refs.map(packRef), ...told })

const packRef = ({ id, split, digest, subSplit, cluster, attributes }: InstanceRef): Json => {
  if (attributes !== undefined) return [id, split, digest, subSplit ?? null, cluster ?? null, attributes]
  if (cluster !== undefined) return [id, split, digest, subSplit ?? null, cluster]
  return subSplit === undefined ? [id, split, digest] : [id, split, digest, subSplit]
}

type PackedRef = [
  string | number,
  Split,
  Digest<'instance'>,
  (string | null)?,
  (string | null)?,
  InstanceRef['attributes']?,
]

const unpackRef = (packed: Json): InstanceRef => {
  const [id, split, digest, subSplit, cluster, attributes] = packed as PackedRef
  return {
    id,
    split,
    digest,
    ...(typeof subSplit === 'string' ? { subSplit } : {}),
    ...(typeof cluster === 'string' ? { cluster } : {}),
    ...(attributes === undefined ? {} : { attributes }),
  }
}
