import { isSpace } from '../../../benchmarks/python/text.ts'
import { exceptions, splitWord } from './english-words.ts'

/** A fixed word that splitting takes apart, such as an emoticon: its pieces, and itself. */
interface Broken {
  readonly pieces: readonly string[]
  readonly word: string
}

/** Broken fixed words by their first piece. */
const findBrokenWords = (): ReadonlyMap<string, readonly Broken[]> => {
  const byFirst = new Map<string, Broken[]>()
  for (const word of exceptions().keys()) {
    const pieces = splitWord(word, new Map())
    const [first = ''] = pieces
    if (pieces.length > 1) byFirst.set(first, [...(byFirst.get(first) ?? []), { pieces, word }])
  }
  return byFirst
}

let brokenWords: ReadonlyMap<string, readonly Broken[]> | undefined

/** Tokens of words met before: splitting is slow, and the texts of a run share their words. */
const cache = new Map<string, readonly string[]>()
const WORDS_KEPT = 100_000

const tokensOf = (word: string): readonly string[] => {
  let tokens = cache.get(word)
  if (tokens === undefined) {
    tokens = exceptions().get(word) ?? splitWord(word, exceptions())
    if (cache.size >= WORDS_KEPT) cache.clear()
    cache.set(word, tokens)
  }
  return tokens
}

interface Match {
  readonly start: number
  readonly end: number
  readonly word: string
}

/** Where the pieces of a broken fixed word follow each other: longest first, then leftmost. */
const findBroken = (tokens: readonly string[]): readonly Match[] => {
  const broken = (brokenWords ??= findBrokenWords())
  const matches: Match[] = []
  tokens.forEach((token, start) => {
    for (const { pieces, word } of broken.get(token) ?? []) {
      if (pieces.every((piece, index) => tokens[start + index] === piece))
        matches.push({ start, end: start + pieces.length, word })
    }
  })
  return matches.sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)
}

/**
 * Puts broken fixed words together again. As in spaCy a match keeps the tokens it covers from later ones even if it
 * is itself refused, because it overlaps an earlier one or has a blank within.
 * @param glued by index, whether no blank follows the token
 */
const mendBroken = (tokens: string[], glued: readonly boolean[]): string[] => {
  const matches = findBroken(tokens)
  if (matches.length === 0) return tokens
  const taken = new Set<number>()
  const mended = new Map<number, Match>()
  for (const match of matches) {
    const { start, end } = match
    const free = !taken.has(start) && !taken.has(end - 1)
    if (free && glued.slice(start, end - 1).every(Boolean)) mended.set(start, match)
    for (let index = start; index < end; index++) taken.add(index)
  }
  const result: string[] = []
  for (let index = 0; index < tokens.length; index++) {
    const match = mended.get(index)
    if (match === undefined) result.push(tokens[index] as string)
    else {
      result.push(...(exceptions().get(match.word) ?? []))
      index = match.end - 1
    }
  }
  return result
}

/** Maximal runs of blanks and of other characters; one space after a word belongs to the word and is left out. */
const splitBlanks = (text: string): readonly string[] => {
  const spans: string[] = []
  let start = 0
  let blank = isSpace(text.charAt(0))
  for (let index = 0; index < text.length; index++) {
    if (isSpace(text.charAt(index)) === blank) continue
    if (start < index) spans.push(text.slice(start, index))
    start = text[index] === ' ' ? index + 1 : index
    blank = !blank
  }
  if (start < text.length) spans.push(text.slice(start))
  return spans
}

/**
 * Tokens of an English text as spaCy's tokenizer of en_core_web_sm 3.8.0 gives them, blanks among them.
 * The data statistics of summaries count these (HELM.md T18).
 */
export const tokenizeEnglish = (text: string): string[] => {
  const tokens: string[] = []
  const glued: boolean[] = []
  for (const span of splitBlanks(text)) {
    const parts = isSpace(span.charAt(0)) ? [span] : tokensOf(span)
    parts.forEach((part, index) => {
      tokens.push(part)
      glued.push(index < parts.length - 1)
    })
  }
  return mendBroken(tokens, glued)
}
