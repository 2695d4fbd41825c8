import { Float } from '../../../benchmarks/python/numbers/number.ts'
import { isDict, isList } from '../../../benchmarks/python/kinds.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'

/** How a value of ours looks in HELM's JSON, both ways. */
export interface Form<T> {
  readonly write: (value: T) => PyValue
  /** `at` names the place in the file, e.g. `request_states[3].result`. @throws ProblemError `tools/not-helm-form` */
  readonly read: (value: PyValue, at: string) => T
}

/** A field of a record: a form and what happens where our value has none. */
export interface Field<T> extends Form<T> {
  /** Left out when undefined, as HELM leaves out fields that are None (HELM.md F2). */
  readonly optional?: true
  /** Written when undefined; a file's field equal to it reads as undefined. */
  readonly fallback?: PyValue
}

export type Fields<T> = { readonly [K in keyof T]-?: Field<Exclude<T[K], undefined>> }

/** Refuses a value that HELM could not have written at that place. */
const misfit = (at: string, expected: string): ProblemError =>
  new ProblemError({
    code: 'tools/not-helm-form',
    message: `${at === '' ? 'The file' : at} is not ${expected}.`,
    where: { field: at },
    remedy: 'Check that the file is what helm-run wrote; if it is damaged, run the entry again.',
  })

const primitive = <T extends PyValue>(expected: string, is: (value: PyValue) => value is T): Form<T> => ({
  write: (value) => value,
  read: (value, at) => {
    if (is(value)) return value
    throw misfit(at, expected)
  },
})

export const text = primitive('a text', (value) => typeof value === 'string')
export const flag = primitive('true or false', (value) => typeof value === 'boolean')
export const int = primitive('a whole number', (value): value is number => Number.isSafeInteger(value))
/** An id: a text, or a whole number where the data has such ids. */
export const id = primitive(
  'a text or a whole number',
  (value): value is string | number => typeof value === 'string' || Number.isSafeInteger(value),
)
/** A number that keeps Python's type. */
export const number = primitive('a number', (value) => typeof value === 'number' || value instanceof Float)
export const dict = primitive('an object', isDict)
export const any = primitive('a value', (value): value is PyValue => value !== undefined)

/** A number that Python holds as a float, whatever its value. */
export const real: Form<number> = {
  write: (value) => new Float(value),
  read: (value, at) => {
    const read = number.read(value, at)
    return read instanceof Float ? read.value : read
  },
}

export const list = <T>(element: Form<T>): Form<readonly T[]> => ({
  write: (values) => values.map((value) => element.write(value)),
  read: (value, at) => {
    if (!isList(value)) throw misfit(at, 'a list')
    return value.map((item, index) => element.read(item, `${at}[${index}]`))
  },
})

export const texts: Form<ReadonlyMap<string, string>> = {
  write: (value) => value,
  read: (value, at) =>
    new Map([...dict.read(value, at)].map(([key, item]) => [key, text.read(item, `${at}.${key}`)])),
}

export const optional = <T>(form: Form<T>): Field<T> => ({ ...form, optional: true })

/** For what HELM always writes and we mostly leave unsaid. */
export const usually = <T>(form: Form<T>, fallback: PyValue): Field<T> => ({ ...form, fallback })

/** One value under one key of a dict, e.g. `{"reason": …}`. */
export const wrapped = <T>(key: string, form: Form<T>): Form<T> => ({
  write: (value) => new Map([[key, form.write(value)]]),
  read: (value, at) => form.read(dict.read(value, at).get(key) ?? null, `${at}.${key}`),
})

const samePrimitive = (a: PyValue, b: PyValue): boolean =>
  a === b ||
  (a instanceof Float && b instanceof Float && a.value === b.value) ||
  (isList(a) && isList(b) && a.length === 0 && b.length === 0)

/**
 * A dataclass: the table's order is HELM's order, its camel-case names are HELM's in snake case.
 * Keys that the table does not have are passed over on reading, as HELM does.
 * @param defaults what the dataclass takes for fields that a file, an older HELM's, does not have
 */
export const record = <T extends object>(fields: Fields<T>, defaults: Partial<T> = {}): Form<T> => {
  const rows = Object.entries(fields).map(([key, field]) => ({
    key,
    name: key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    field: field as Field<unknown>,
  }))
  return {
    write: (value) => {
      const written = new Map<string, PyValue>()
      // Not by an iterator, here as in JsonWriter.
      for (let at = 0; at < rows.length; at += 1) {
        const { key, name, field } = rows[at] as (typeof rows)[number]
        const item = (value as Record<string, unknown>)[key]
        if (item !== undefined) written.set(name, field.write(item))
        else if (field.fallback !== undefined) written.set(name, field.fallback)
        else if (field.optional !== true) throw new TypeError(`${name} is missing`)
      }
      return written
    },
    read: (value, at) => {
      const map = dict.read(value, at)
      const read: Record<string, unknown> = { ...defaults }
      for (const { key, name, field } of rows) {
        const item = map.get(name) ?? undefined
        const place = at === '' ? name : `${at}.${name}`
        if (item === undefined) {
          const isKnown = field.optional === true || field.fallback !== undefined
          if (!isKnown && (!(key in defaults) || map.has(name))) throw misfit(place, 'there')
        } else if (field.fallback === undefined || !samePrimitive(item, field.fallback)) {
          read[key] = field.read(item, place)
        }
      }
      return read as T
    },
  }
}
