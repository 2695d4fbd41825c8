import { percentDecoded } from '../../cache/network/percent-decoded.ts'
import { isMapping, type Json } from '../../cache/values/json.ts'

/** `api_key`, `accessToken`, `clientSecret`, `X-Password`; not `stop_token` and its like. */
const SECRET =
  /(?:api|access|auth|bearer|client|private|refresh|secret|session|subscription)[_-]?(?:key|token)$|(?:^|[_-])(?:bearer|authorization)$|(?:passw(?:or)?d|secret|credentials?)$|^token$/i

type Found = readonly (readonly [path: string, text: string])[]

/** YAML takes a password of digits for a number; a short one is a setting. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || (typeof value === 'number' && value >= 1e7) ? String(value) : ''

const textsIn = (value: unknown, path = ''): Found => {
  const text = textOf(value)
  if (text !== '') return [[path, text]]
  if (Array.isArray(value)) return value.flatMap((each: unknown) => textsIn(each, path))
  return isMapping(value)
    ? Object.entries(value).flatMap(([name, each]) => textsIn(each, path === '' ? name : `${path}.${name}`))
    : []
}

/** Paths of the texts in it that are called as secrets are. */
export const secretFields = (value: unknown): readonly string[] =>
  textsIn(value).flatMap(([path]) => (isSecret(path) ? [path] : []))

/** These texts, by words, as of `Bearer …`; of headers all, and of addresses their user and the values of their query. */
export const secretTexts = (value: unknown): readonly string[] =>
  textsIn(value).flatMap(([path, text]) => {
    if (isSecret(path) || /(?:^|\.)headers\./i.test(path)) return [text, ...text.split(/[\s;,=]+/)]
    // A sentence that begins with a word and a colon passes for one.
    if (!text.includes('://') || /\s/.test(text.trim()) || !URL.canParse(text)) return []
    const { username, password, searchParams } = new URL(text)
    return [username, password].map((each) => percentDecoded(each) ?? each).concat(...searchParams.values())
  })

/** The same without these texts; `path` says where it stands. */
export const withoutSecrets = (value: Json, path: string): Json => {
  if ((value === '' || textOf(value) !== '') && isSecret(path)) return '[secret]'
  if (Array.isArray(value)) return value.map((each: Json) => withoutSecrets(each, path))
  return isMapping(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutSecrets(each, name)]))
    : value
}

const isSecret = (path: string): boolean => SECRET.test(path.split('.').at(-1) ?? '')
