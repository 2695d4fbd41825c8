import { createRequire } from 'node:module'
import { remembered } from '../once.ts'
import { bytePairs, readRanks, type Ranks } from './byte-pairs.ts'

/** The vocabularies at hand. */
type Encoding = 'cl100k_base' | 'o200k_base'

/**
 * Text in tokens exactly as tiktoken cuts it, which no package for JS does where U+FEFF or U+0085 occurs. Text that looks
 * like a special token is plain text here; tiktoken refuses it. Characters that a cut parts become U+FFFD.
 */
export interface Tiktoken {
  count(text: string): number
  /** Each token's own text. */
  tokens(text: string): readonly string[]
  /** The text of the first `limit` tokens. */
  head(text: string, limit: number): string
  /** The text of the last `limit` tokens; the text itself when it has no more. */
  tail(text: string, limit: number): string
}

const loaded = new Map<Encoding, Tiktoken>()

/** Reads a vocabulary once, some 0.03 s. */
export const tiktoken = (encoding: Encoding): Tiktoken =>
  remembered(loaded, encoding, () => {
    const file = createRequire(import.meta.url).resolve(`gpt-tokenizer/data/${encoding}.tiktoken`)
    return tokenizerOf(readRanks(file), PIECES[encoding])
  })

/** White space of Rust's regular expressions. JS counts U+FEFF too and U+0085 not. */
const SPACE = String.raw`\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`

function pattern(parts: readonly string[]): RegExp {
  return new RegExp(parts.join('|'), 'gu')
}

/** `'s`, `'ll` and the like in any case; `ſ` is an s when case is ignored. */
const SUFFIX = String.raw`'(?:[sSſdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])`
const CAPITALS = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
const SMALL = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
const BEFORE = String.raw`[^\r\n\p{L}\p{N}]?`

/** Where an encoding cuts text before it forms tokens (tiktoken 0.14). */
const PIECES: Readonly<Record<Encoding, RegExp>> = {
  cl100k_base: pattern([
    SUFFIX,
    String.raw`${BEFORE}\p{L}+`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^${SPACE}\p{L}\p{N}]+[\r\n]*`,
    `[${SPACE}]+$`,
    String.raw`[${SPACE}]*[\r\n]`,
    `[${SPACE}]+(?![^${SPACE}])`,
    `[${SPACE}]`,
  ]),
  o200k_base: pattern([
    `${BEFORE}${CAPITALS}*${SMALL}+(?:${SUFFIX})?`,
    `${BEFORE}${CAPITALS}+${SMALL}*(?:${SUFFIX})?`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^${SPACE}\p{L}\p{N}]+[\r\n/]*`,
    String.raw`[${SPACE}]*[\r\n]+`,
    `[${SPACE}]+(?![^${SPACE}])`,
    `[${SPACE}]+`,
  ]),
}

/** No piece reaches over a newline to what follows it, unless that is white space or a slash. */
const LINE_START = new RegExp(`(?<=\\n)[^/${SPACE}]`, 'gu')

/** How much text is cut into tokens at a time when only its end is wanted. */
const BLOCK = 1 << 16

/** Pieces that were cut before; most of a record's pieces come again. */
const REMEMBERED = 50_000

const tokenizerOf = (ranks: Ranks, pieces: RegExp): Tiktoken => {
  const known = new Map<string, readonly number[]>()
  const boundsOf = (piece: string): readonly number[] => {
    const before = known.get(piece)
    if (before !== undefined) return before
    const bounds = bytePairs(Buffer.from(piece), ranks)
    if (known.size < REMEMBERED && piece.length < 64) known.set(piece, bounds)
    return bounds
  }
  const tokensOf = (piece: string): readonly string[] => {
    const bytes = Buffer.from(piece).toString('latin1')
    const bounds = boundsOf(piece)
    return bounds.slice(1).map((end, index) => bytes.slice(bounds[index], end))
  }
  const tokens = (text: string): readonly string[] =>
    Array.from(text.matchAll(pieces), ([piece]) => tokensOf(piece)).flat()
  return {
    count: (text) => {
      let count = 0
      for (const piece of text.match(pieces) ?? []) count += boundsOf(piece).length - 1
      return count
    },
    tokens: (text) => tokens(text).map((token) => decode([token])),
    head: (text, limit) => decode(tokens(text).slice(0, Math.max(0, limit))),
    tail: (text, limit) => tail(text, limit, tokens),
  }
}

/** From the end of the text backwards, block by block: of a long record the most part is never looked at. */
const tail = (text: string, limit: number, tokens: (text: string) => readonly string[]): string => {
  const blocks: (readonly string[])[] = []
  let missing = limit
  for (let end = text.length; end > 0 && missing >= 0;) {
    const start = blockStart(text, end)
    const block = tokens(text.slice(start, end))
    blocks.unshift(block)
    missing -= block.length
    end = start
  }
  if (missing >= 0) return text
  return decode(limit === 0 ? [] : blocks.flat().slice(-limit))
}

const decode = (tokens: readonly string[]): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(tokens.join(''), 'latin1'))

const blockStart = (text: string, end: number): number => {
  for (let from = end - BLOCK; from > 0; from -= BLOCK) {
    LINE_START.lastIndex = from
    const found = LINE_START.exec(text)
    if (found !== null && found.index < end) return found.index
  }
  return 0
}
