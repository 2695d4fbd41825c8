import { str } from '../python/numbers/number.ts'
import type { PyValue } from '../python/value.ts'

/** Arguments and what their values imply, by placeholder name. */
export type Placeholders = ReadonlyMap<string, PyValue>

const PLACEHOLDER = /\{([A-Za-z_]\w*)\}/g

/** Puts arguments into a text, printed as Python prints them. Braces around anything else stay as they are. */
export const fillText = (text: string, values: Placeholders): string =>
  text.replace(PLACEHOLDER, (whole, name: string) => {
    const value = values.get(name)
    return value === undefined ? whole : str(value)
  })

/** The same for a YAML value; a text that is one placeholder alone becomes the argument with its type. */
const fillValue = (value: unknown, values: Placeholders): PyValue => {
  if (typeof value === 'string') {
    const alone = values.get(/^\{(\w+)\}$/.exec(value)?.[1] ?? '')
    return alone === undefined ? fillText(value, values) : alone
  }
  if (Array.isArray(value)) return value.map((item) => fillValue(item, values))
  if (isMapping(value)) return fillRecord(value, values)
  return value as PyValue
}

export const fillRecord = (
  record: Readonly<Record<string, unknown>>,
  values: Placeholders,
): ReadonlyMap<string, PyValue> =>
  new Map(Object.entries(record).map(([key, item]) => [key, fillValue(item, values)]))

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
