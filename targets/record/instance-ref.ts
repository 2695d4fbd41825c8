import type { Split, Chat, Instance } from '../../benchmarks/scenario/instance.ts'
import { asJson, storedShape } from '../../cache/stored-shape.ts'
import type { Store } from '../../cache/store.ts'
import { type Digest, canonicalJson, digestOf } from '../../cache/values/digest.ts'
import type { Json, JsonObject } from '../../cache/values/json.ts'
import { loads } from '../../benchmarks/python/json.ts'
import { dumps } from '../../benchmarks/python/dumps.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { plural } from '../../cache/words/number-text.ts'
import type { SkippedRow } from '../../benchmarks/scenario/benchmark.ts'

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

export const instanceDigest = (stored: StoredInstance): Digest<'instance'> =>
  digestOf<'instance'>(canonicalInstance(stored))

/** Canonical JSON of an instance, its fields in that order: a text of a hundred pages is looked through once. */
const canonicalInstance = (stored: StoredInstance): string => {
  const { extraData, messages, references, split, subSplit, text } = stored
  const told = references.map((each) => ({ tags: each.tags, text: each.text }))
  const json = JSON.stringify({ extraData, messages, references: told, split, subSplit, text })
  // Half a character is written so, and has no canonical form.
  return json.includes('\\ud') ? canonicalJson(stored) : json
}

export const instanceOf = (id: string | number, stored: StoredInstance): Instance => ({
  id,
  input: {
    text: stored.text,
    ...(stored.messages === undefined ? {} : { messages: loads(stored.messages) as Chat }),
  },
  references: stored.references,
  split: stored.split as Split,
  ...(stored.subSplit === null ? {} : { subSplit: stored.subSplit }),
  ...(stored.extraData !== null && { extraData: loads(stored.extraData) as ReadonlyMap<string, PyValue> }),
})

/** Rows that are counted, the first of them listed. */
export interface CountedRows {
  readonly count: number
  readonly listed: readonly SkippedRow[]
}

/** Rows of a data set that a run goes without. */
export interface SkippedRows extends CountedRows {
  /** Rows that are used without a part of them; absent where there are none. */
  readonly inPart?: CountedRows
}

/** Rows that are listed; all are counted. */
const LISTED = 100

/** Counts rows and keeps the first. */
export class SkippedRowTally {
  private readonly whole = { count: 0, listed: [] as SkippedRow[] }
  private readonly inPart = { count: 0, listed: [] as SkippedRow[] }

  readonly add = ({ isPart, ...row }: SkippedRow): void => {
    const rows = isPart === true ? this.inPart : this.whole
    rows.count += 1
    if (rows.listed.length < LISTED) rows.listed.push(row)
  }

  /** Undefined where every row was read whole. */
  result(): SkippedRows | undefined {
    const { whole, inPart } = this
    if (inPart.count > 0) return { ...whole, inPart }
    return whole.count === 0 ? undefined : whole
  }
}

/** `3 rows skipped, first data.csv row 4, column answer: missing answer; 1 row read in part, first …`. */
export const skippedText = (rows: SkippedRows): string =>
  [
    ...(rows.count === 0 ? [] : [countedText(rows, 'skipped')]),
    ...(rows.inPart === undefined ? [] : [countedText(rows.inPart, 'read in part')]),
  ].join('; ')

const countedText = ({ count, listed: [first] }: CountedRows, what: string): string => {
  const total = `${plural(count, 'row')} ${what}`
  return first === undefined ? total : `${total}, first ${placeText(first)}`
}

/** `data.csv row 4, column answer: missing answer`. */
export const placeText = ({ file, row, column, reason }: SkippedRow): string =>
  `${file}${row === undefined ? '' : ` row ${row}`}${column === undefined ? '' : `, column ${column}`}: ${reason === 'answer' ? 'unusable answer' : reason.replaceAll('-', ' ')}`
