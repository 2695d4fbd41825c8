import { groupBy } from '../../../../cache/lists.ts'
import { fitted, textWidth } from './text-width.ts'

/** With what stands before them; signs that are words each stand alone. */
const WORDS = /[^\p{L}\p{N}]*(?:\p{Lo}|[\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{M}\p{N}]{1,12})|[^\p{L}\p{N}]+$/gu

const wordsOf = (name: string): readonly string[] => name.match(WORDS) ?? [name]

/** Names cut to a room, so that no two look the same: of those that begin alike the words stay that part them. @param room pixels */
export const fittedNames = (names: readonly string[], room: number): ReadonlyMap<string, string> => {
  const all = new Set(names)
  const next = nextWords(all)
  const byCut = groupBy(all, (name) => fitted(name, room))
  return new Map(
    [...byCut].flatMap(([cut, alike]) =>
      alike.map((name) => [name, (alike.length < 2 ? undefined : byWords(name, next, room)) ?? cut] as const),
    ),
  )
}

/** By each start that names have, the words that follow it; nothing at a name's end. */
const nextWords = (names: Iterable<string>): ReadonlyMap<string, ReadonlySet<string>> => {
  const next = new Map<string, Set<string>>()
  for (const name of names) {
    let start = ''
    for (const word of [...wordsOf(name), '']) {
      next.set(start, (next.get(start) ?? new Set()).add(word))
      start += word
    }
  }
  return next
}

/** `northwind…large…01-thinking`: the words that other names have not, then as many from its start and before its end as fit. */
const byWords = (
  name: string,
  next: ReadonlyMap<string, ReadonlySet<string>>,
  room: number,
): string | undefined => {
  const words = wordsOf(name)
  const kept = new Set<number>()
  let start = ''
  for (const [at, word] of [...words, ''].entries()) {
    // That a name ends where others go on its last word tells.
    if ((next.get(start)?.size ?? 0) > 1) kept.add(Math.min(at, words.length - 1))
    start += word
  }
  const isTooWide = (of: ReadonlySet<number>): boolean => textWidth(joined(words, of)) > room
  // Later ones tell from nearer names.
  for (const at of kept) if (isTooWide(kept)) kept.delete(at)
  if (kept.size === 0) return undefined
  for (const order of [words.keys(), [...words.keys()].toReversed()])
    for (const at of order) {
      if (isTooWide(new Set([...kept, at]))) break
      kept.add(at)
    }
  return joined(words, kept)
}

const joined = (words: readonly string[], kept: ReadonlySet<number>): string =>
  words
    .map((word, at) => {
      if (!kept.has(at)) return kept.has(at - 1) || at === 0 ? '…' : ''
      return kept.has(at - 1) || at === 0 ? word : word.replace(/^[^\p{L}\p{N}]+(?=.)/u, '')
    })
    .join('')
