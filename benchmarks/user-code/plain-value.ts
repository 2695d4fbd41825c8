import { Float } from '../python/numbers/float.ts'
import type { PyValue } from '../python/value.ts'

const DEEPEST = 100

/**
 * What a user's code gave as extra data, as JSON can hold it: objects are dicts.
 * @param refuse is told what is wrong with anything else, and throws
 */
export const plainValue = (
  given: unknown,
  refuse: (fault: string) => never,
  path: readonly (string | number)[] = ['extraData'],
): PyValue => {
  if (path.length > DEEPEST) return refuse('extraData holds itself, or too much in each other')
  if (given === null || given instanceof Float) return given
  if (typeof given === 'boolean' || typeof given === 'number' || typeof given === 'bigint') return given
  if (typeof given === 'string' && given.isWellFormed()) return given
  if (Array.isArray(given)) return Array.from(given, (item, at) => plainValue(item, refuse, [...path, at]))
  if (given instanceof Map || isRecord(given))
    return new Map(
      [...(given instanceof Map ? given : Object.entries(given))].map(([key, value]) =>
        typeof key === 'string'
          ? [key, plainValue(value, refuse, [...path, key])]
          : refuse(`${path.join('.')} has a key that is no text`),
      ),
    )
  return refuse(`${path.join('.')} is nothing that JSON can hold`)
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)
