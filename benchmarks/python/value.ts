import type { Float } from './numbers/float.ts'

/**
 * A Python value as JSON carries it. Whole JS numbers are ints, `Float` a whole float, bigint an int beyond 2^53.
 * Dicts are Maps: plain JS objects would reorder integer-like keys.
 */
export type PyValue =
  | null
  | boolean
  | number
  | bigint
  | Float
  | string
  | readonly PyValue[]
  | ReadonlyMap<string, PyValue>
