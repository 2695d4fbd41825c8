import type { Json } from './values/json.ts'
import { ProblemError } from './problems/problem.ts'

/** T as far as JSON holds it; `never` in place of what it does not: undefined, dates, maps, functions. */
type JsonShape<T> = T extends Json
  ? T
  : T extends (...args: never[]) => unknown
    ? never
    : T extends object
      ? { readonly [Key in keyof T]: JsonShape<T[Key]> }
      : never

/** A value of a declared shape as JSON: the compiler sees that JSON holds all of it. */
export const asJson = <T>(value: T & JsonShape<T>): Json => value

type Kind<V> = V extends string
  ? 'text'
  : V extends number
    ? 'number'
    : V extends boolean
      ? 'flag'
      : V extends null
        ? 'nothing'
        : V extends readonly unknown[]
          ? 'list'
          : 'object'

/** Fields that tell a shape from others, with what they hold. */
type Fields<T> = { readonly [Key in keyof T]?: Kind<T[Key]> }

/**
 * Reads what the store holds as a shape, after a look at the fields that tell it.
 * @returns undefined for undefined
 * @throws ProblemError `cache/strange-value` for what another program, or another version, keeps under such a name
 */
export const storedShape =
  <T extends object>(what: string, fields: Fields<T>) =>
  (value: Json | undefined): T | undefined => {
    if (value === undefined) return undefined
    if (!hasFields(value, fields)) throw strange(what)
    // The fields that were looked at tell the shape; the store's checksum tells that it is whole.
    return value as unknown as T
  }

/** The same for a list of such. */
export const storedList = <T extends object>(
  what: string,
  fields: Fields<T>,
): ((value: Json | undefined) => readonly T[] | undefined) => {
  const read = storedShape<T>(what, fields)
  return (value) => {
    if (value === undefined) return undefined
    if (!Array.isArray(value)) throw strange(what)
    return (value as readonly Json[]).flatMap((item) => read(item) ?? [])
  }
}

const hasFields = (value: Json, fields: Readonly<Record<string, unknown>>): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.entries(fields).every(
    ([key, kind]) => kindOf((value as Readonly<Record<string, Json>>)[key]) === kind,
  )

/** Undefined for a field that is not there. */
const kindOf = (
  value: Json | undefined,
): Kind<unknown> | 'text' | 'number' | 'flag' | 'nothing' | 'list' | undefined => {
  if (value === undefined) return undefined
  if (value === null) return 'nothing'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'flag'
  return Array.isArray(value) ? 'list' : 'object'
}

const strange = (what: string): ProblemError =>
  new ProblemError({
    code: 'cache/strange-value',
    message: `the store holds something else where ${what} should be`,
    remedy: 'Another version of medmake may have written it. Run the entry again, or use a store of its own.',
  })
