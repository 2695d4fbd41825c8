import { pathText, type DocumentPath } from '../../cache/problems/yaml-document.ts'
import type { Place } from '../../cache/problems/problem.ts'

/** What holds no key: texts that are values, and comments. */
const NO_KEY = /"(?:[^"\\\n]|\\.)*"(?!\s*[:=])|(?:#|\/\/)[^\n]*/g

/** The parser keeps no positions: where an entry begins, or one of its keys, by brackets and names outside of texts. */
export const entryPlaces = (text: string, file: string): ((path: DocumentPath) => Place) => {
  const plain = text.replace(NO_KEY, (part) => '_'.repeat(part.length))
  return (path) => {
    const [, at, key] = path
    const field = pathText(path)
    const start = typeof at === 'number' ? entryStart(plain, at) : undefined
    if (start === undefined) return { file, field }
    const found = key === undefined ? -1 : plain.slice(start).search(keyPattern(String(key)))
    const before = text.slice(0, start + Math.max(0, found)).split('\n')
    return { file, field, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  }
}

const keyPattern = (key: string): RegExp =>
  new RegExp(`(?<=[\\s{,])"?${key.replaceAll(/[^\w-]/g, '.')}"?\\s*[:=]`)

/** Undefined for one that stands in no plain list, such as one that is added to it. */
const entryStart = (plain: string, wanted: number): number | undefined => {
  const list = /entries"?\s*[:=]?\s*\[/.exec(plain)
  if (list === null) return undefined
  let depth = 0
  let seen = 0
  for (let at = list.index + list[0].length; at < plain.length && depth >= 0; at += 1) {
    const sign = plain[at]
    if (sign === '{' && depth === 0 && seen++ === wanted) return at
    depth += sign === '{' || sign === '[' ? 1 : sign === '}' || sign === ']' ? -1 : 0
  }
  return undefined
}
