import { hash, type BinaryLike } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Json, JsonObject } from './json.ts'

/** What a digest is of; a completion's digest can't be handed to a function that wants a prompt's. */
export type DigestKind =
  | 'text'
  | 'file'
  | 'code'
  | 'data'
  | 'instances'
  | 'instance'
  | 'adapter'
  | 'prompt'
  | 'completion'
  | 'annotation'
  | 'metric'
  | 'record'
  | 'target'
  | 'aggregate'
  | 'plan'

/** sha256 in lower-case hex, branded by what it is of. */
export type Digest<Kind extends DigestKind = DigestKind> = string & { readonly __digest: Kind }

/** sha256 of bytes or of a text's UTF-8 form. */
export const digestOf = <Kind extends DigestKind>(data: BinaryLike): Digest<Kind> =>
  hash('sha256', data, 'hex') as Digest<Kind>

/** RFC 8785 text of a JSON value. Throws on NaN, Infinity, lone surrogates and cycles: no key may hide them. */
export const canonicalJson = (value: Json): string => {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('a key must be a JSON value')
  return text
}

/** sha256 of a value's canonical JSON. */
export const digestJson = <Kind extends DigestKind>(value: Json): Digest<Kind> =>
  digestOf<Kind>(canonicalJson(value))

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
