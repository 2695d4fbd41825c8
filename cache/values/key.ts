import { canonicalJson, digestOf, type Digest, type DigestKind } from './digest.ts'
import type { JsonObject } from './json.ts'

/** Makes the key of one result from the few fields that differ between results of a kind. */
export interface KeyTemplate<Field extends string, Kind extends DigestKind> {
  /** sha256 of the canonical key. */
  readonly digest: (values: Readonly<Record<Field, string>>) => Digest<Kind>
  /** The same key, readable. */
  readonly key: (values: Readonly<Record<Field, string>>) => JsonObject
}

/**
 * Prepares keys that share their `fixed` fields and differ in the text `fields`.
 * Canonical JSON of the fixed part is made once: a million keys then cost a string join and a hash each.
 *
 * @example
 * const key = keyTemplate<'instance', 'prompt'>({ stage: 'prompts', version: '1' }, ['instance'])
 * key.digest({ instance: digest })
 */
export const keyTemplate = <Field extends string, Kind extends DigestKind>(
  fixed: JsonObject,
  fields: readonly Field[],
): KeyTemplate<Field, Kind> => {
  const hole = (field: Field): string => `\u{F8FF}${field}\u{F8FF}`
  const text = canonicalJson({ ...fixed, ...Object.fromEntries(fields.map((field) => [field, hole(field)])) })
  const pieces = text.split(/"\u{F8FF}([^\u{F8FF}]*)\u{F8FF}"/u)
  const digest = (values: Readonly<Record<Field, string>>): Digest<Kind> => {
    let filled = pieces[0] ?? ''
    for (let index = 1; index < pieces.length; index += 2)
      filled += JSON.stringify(values[pieces[index] as Field]) + (pieces[index + 1] ?? '')
    return digestOf<Kind>(filled)
  }
  return { digest, key: (values) => ({ ...fixed, ...values }) }
}
