import { isSpace, DIGIT, SPACE, WORD } from '../../../benchmarks/python/text.ts'
import rules from './spacy-english.json' with { type: 'json' }

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

interface Rules {
  readonly prefix: RegExp
  readonly suffix: RegExp
  readonly infix: RegExp
  readonly url: RegExp
  /** Words whose tokens are fixed, such as `don't`. */
  readonly exceptions: ReadonlyMap<string, readonly string[]>
}

const compile = (): Rules => ({
  prefix: new RegExp(rules.prefix, 'u'),
  suffix: new RegExp(rules.suffix, 'u'),
  infix: new RegExp(rules.infix, 'gu'),
  url: new RegExp(
    rules.url.replaceAll('\\w', WORD).replaceAll('\\d', `[${DIGIT}]`).replaceAll('\\S', `[^${SPACE}]`),
    'u',
  ),
  exceptions: new Map(rules.exceptions.map((tokens) => [tokens.replaceAll(' ', ''), tokens.split(' ')])),
})

let compiled: Rules | undefined

/** The rules, compiled when first needed: a run whose values are all known never needs them. */
const english = (): Rules => (compiled ??= compile())

/** Words that are not split by rule but as the language's exceptions say. */
const exceptions = (): ReadonlyMap<string, readonly string[]> => english().exceptions

/** Every URL has a dot; asking for it first spares most words a slow expression. */
const isUrl = (word: string): boolean => word.includes('.') && english().url.test(word)

/** Taken apart by no rule, each of which asks for a sign or a digit. */
const isPlain = (word: string): boolean => /^[A-Za-z]+$/.test(word)

interface Affixes {
  readonly prefixes: readonly string[]
  readonly rest: string
  /** From the outermost to the innermost. */
  readonly suffixes: readonly string[]
}

/** Takes prefixes and suffixes off until nothing more comes off or a fixed word is left. */
const splitAffixes = (word: string, fixed: ReadonlyMap<string, unknown>): Affixes => {
  const { prefix, suffix } = english()
  const prefixes: string[] = []
  const suffixes: string[] = []
  let rest = word
  let length = -1
  while (rest !== '' && rest.length !== length && !fixed.has(rest) && !isPlain(rest)) {
    length = rest.length
    const front = prefix.exec(rest)?.[0].length ?? 0
    const afterFront = rest.slice(front)
    if (front > 0 && afterFront !== '' && fixed.has(afterFront)) {
      prefixes.push(rest.slice(0, front))
      return { prefixes, rest: afterFront, suffixes }
    }
    const back = suffix.exec(afterFront)?.[0].length ?? 0
    const beforeBack = rest.slice(0, rest.length - back)
    if (back > 0 && beforeBack !== '' && fixed.has(beforeBack)) {
      suffixes.push(rest.slice(rest.length - back))
      return { prefixes, rest: beforeBack, suffixes }
    }
    if (front > 0) prefixes.push(rest.slice(0, front))
    if (back > 0) suffixes.push(rest.slice(rest.length - back))
    rest = rest.slice(front, rest.length - back)
  }
  return { prefixes, rest, suffixes }
}

/** Cuts at hyphens, ellipses and the like within a word. */
const splitInfixes = (word: string): string[] => {
  if (isPlain(word)) return [word]
  const tokens: string[] = []
  let start = 0
  for (const match of word.matchAll(english().infix)) {
    const end = match.index + match[0].length
    if (match.index === start && start === 0) continue
    if (match.index !== start) tokens.push(word.slice(start, match.index))
    if (end !== match.index) tokens.push(word.slice(match.index, end))
    start = end
  }
  if (start < word.length) tokens.push(word.slice(start))
  return tokens
}

const splitMiddle = (word: string, fixed: ReadonlyMap<string, readonly string[]>): readonly string[] =>
  fixed.get(word) ?? (isUrl(word) ? [word] : splitInfixes(word))

/**
 * Splits a word, which holds no blank, by the rules: affixes first, then what joins words within it.
 * @param fixed words that are left alone on the way, with their tokens
 */
const splitWord = (word: string, fixed: ReadonlyMap<string, readonly string[]>): readonly string[] => {
  const { prefixes, rest, suffixes } = splitAffixes(word, fixed)
  return [...prefixes, ...(rest === '' ? [] : splitMiddle(rest, fixed)), ...suffixes.toReversed()]
}
