import { Float } from './float.ts'
import { JsonReader } from './json-reader.ts'
import { floatRepr, numberText } from './number.ts'
import type { PyValue } from './value.ts'

export { JsonError } from './json-error.ts'

/** What `dumps` prints: Python values, and plain objects for records with fixed field names. */
export type PyJson = PyValue | PyRecord | readonly PyJson[] | ReadonlyMap<string, PyJson>
/** Fields in order of insertion; undefined ones are left out. Keys must not look like array indices: JS moves those. */
export interface PyRecord {
  readonly [field: string]: PyJson | undefined
}

/**
 * `json.loads`: dicts are Maps in file order (a key met again keeps its place and takes the last value), `1.0` is a
 * Float, integers beyond 2^53 are bigint, bare `NaN` and `Infinity` are accepted.
 * @throws JsonError with Python's message
 */
export const loads = (text: string): PyValue => new JsonReader(text).read()

/** `json.dumps` with ASCII escapes; `indent` 2 is how HELM writes its files, none gives `, ` and `: `. */
export const dumps = (value: PyJson, options: { readonly indent?: number } = {}): string =>
  write(value, options.indent, '\n')

const unsafe = /[^ !#-[\]-~]/
const nonAscii = /[\x7f-\uffff]/g

/** A string as Python's JSON writes it. */
const quote = (text: string): string => {
  if (!unsafe.test(text)) return `"${text}"`
  return JSON.stringify(text).replaceAll(
    nonAscii,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const floatText = (x: number): string => {
  if (Number.isFinite(x)) return floatRepr(x)
  return Number.isNaN(x) ? 'NaN' : x > 0 ? 'Infinity' : '-Infinity'
}

const isList = (value: object): value is readonly PyJson[] => Array.isArray(value)
const isDict = (value: object): value is ReadonlyMap<string, PyJson> => value instanceof Map

const write = (value: PyJson, indent: number | undefined, newline: string): string => {
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'number':
      return Number.isInteger(value) ? numberText(value) : floatText(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'bigint':
      return value.toString()
    default:
      if (value === null) return 'null'
      if (value instanceof Float) return floatText(value.value)
      return isList(value) ? writeList(value, indent, newline) : writeDict(value, indent, newline)
  }
}

const writeList = (items: readonly PyJson[], indent: number | undefined, newline: string): string => {
  if (items.length === 0) return '[]'
  const inner = indent === undefined ? newline : newline + ' '.repeat(indent)
  let text = '['
  let separator = indent === undefined ? '' : inner
  for (const item of items) {
    text += separator + write(item, indent, inner)
    separator = indent === undefined ? ', ' : `,${inner}`
  }
  return `${text}${indent === undefined ? '' : newline}]`
}

const writeDict = (
  dict: ReadonlyMap<string, PyJson> | PyRecord,
  indent: number | undefined,
  newline: string,
): string => {
  const inner = indent === undefined ? newline : newline + ' '.repeat(indent)
  let text = '{'
  let separator = indent === undefined ? '' : inner
  for (const [key, item] of isDict(dict) ? dict : Object.entries(dict)) {
    if (item === undefined) continue
    text += `${separator}${quote(key)}: ${write(item, indent, inner)}`
    separator = indent === undefined ? ', ' : `,${inner}`
  }
  return text === '{' ? '{}' : `${text}${indent === undefined ? '' : newline}}`
}
