/** Numbers of a cache: float32, or float16 as its bits. */
export type Numbers = Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>

/** One tensor of keys or values: rows × heads × length × size. */
export interface KeyValues {
  readonly data: Numbers
  readonly rows: number
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
      return [name, { data: merged, rows: rows.length, heads, length, size }] as const
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
      return [name, { data: taken, rows: rows.length, heads, length, size }] as const
    }),
  )

const emptyLike = (data: Numbers, length: number): Numbers =>
  data instanceof Float32Array ? new Float32Array(length) : new Uint16Array(length)

const fail = (name: string): never => {
  throw new TypeError(`the caches of a batch differ: one lacks ${name}`)
}
