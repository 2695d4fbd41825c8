import { halfFloat } from '../../cache/values/half-float.ts'

/** New tokens of several sequences, all equally many. */
export interface Step {
  /** One list of ids a row. */
  readonly ids: readonly (readonly number[])[]
  /** Positions before the row's first token that only fill it up; its cache holds zeros there. */
  readonly padding: readonly number[]
  /** Of the tokens before these; undefined at a sequence's begin. */
  readonly cache?: Cache
}

export interface Stepped {
  /** Of each row, after its last token: one number a token of the vocabulary. */
  readonly logits: readonly Float32Array[]
  readonly cache: Cache
}

/** A language model that says what comes next. */
export interface Decoder {
  step(step: Step): Promise<Stepped>
  close(): Promise<void>
}

/** Numbers of a cache: float32, or float16 as its bits. */
export type Numbers = Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>

/** One tensor of keys or values: rows × heads × length × size. */
export interface KeyValues {
  readonly data: Numbers
  readonly heads: number
  readonly length: number
  readonly size: number
}

/** What a decoder remembers of the tokens so far, by the name of its input. */
export type Cache = ReadonlyMap<string, KeyValues>

/** Caches of one row each become one: shorter ones get zeros before them, which a mask must hide. */
export const mergeCaches = (caches: readonly Cache[]): Cache => {
  const [first] = caches
  if (first === undefined || caches.length === 1) return first ?? new Map<string, KeyValues>()
  return new Map(
    [...first].map(([name, { heads, size, data }]) => {
      const rows = caches.map((cache) => cache.get(name) ?? fail(name))
      const length = Math.max(...rows.map((row) => row.length))
      const merged = emptyLike(data, rows.length * heads * length * size)
      for (const [row, { data: from, length: own }] of rows.entries())
        for (let head = 0; head < heads; head += 1) {
          const part = from.subarray(head * own * size, (head + 1) * own * size)
          merged.set(part, ((row * heads + head) * length + length - own) * size)
        }
      return [name, { data: merged, heads, length, size }] as const
    }),
  )
}

/** Only these rows of a cache, in this order. */
export const takeRows = (cache: Cache, rows: readonly number[]): Cache =>
  new Map(
    [...cache].map(([name, { data, heads, length, size }]) => {
      const each = heads * length * size
      const taken = emptyLike(data, rows.length * each)
      for (const [to, from] of rows.entries())
        taken.set(data.subarray(from * each, (from + 1) * each), to * each)
      return [name, { data: taken, heads, length, size }] as const
    }),
  )

const emptyLike = (data: Numbers, length: number): Numbers =>
  data instanceof Float32Array ? new Float32Array(length) : new Uint16Array(length)

const fail = (name: string): never => {
  throw new TypeError(`the caches of a batch differ: one lacks ${name}`)
}

/** float16 bits → float32, for runtimes without Float16Array. */
export const floatsOfHalves = (bits: Uint16Array): Float32Array => Float32Array.from(bits, halfFloat)
