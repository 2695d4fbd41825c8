import { hash, type BinaryLike } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Json } from './json.ts'

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
