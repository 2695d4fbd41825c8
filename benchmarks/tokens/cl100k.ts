import { createRequire } from 'node:module'
import { bytePairs, readRanks, type Ranks } from './byte-pairs.ts'

/** tiktoken's cl100k_base. Text that looks like a special token is plain text here; tiktoken refuses it. */
export interface Cl100k {
  count(text: string): number
  /** The text of the last `limit` tokens; characters cut in two become U+FFFD. The text itself when it has no more. */
  tail(text: string, limit: number): string
}

let loaded: Cl100k | undefined

/** Reads the vocabulary once, about 0.1 s. */
export const cl100k = (): Cl100k => {
  loaded ??= tokenizerOf(
    readRanks(createRequire(import.meta.url).resolve('gpt-tokenizer/data/cl100k_base.tiktoken')),
  )
  return loaded
}

/** White space of Rust's regular expressions. JS counts U+FEFF too and U+0085 not. */
const SPACE = String.raw`\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`

/** Where cl100k_base cuts text before it forms tokens (tiktoken 0.14); `ſ` is an s when case is ignored. */
const PIECES = new RegExp(
  [
    String.raw`'(?:[sSſdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])`,
    String.raw`[^\r\n\p{L}\p{N}]?\p{L}+`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^${SPACE}\p{L}\p{N}]+[\r\n]*`,
    `[${SPACE}]+$`,
    String.raw`[${SPACE}]*[\r\n]`,
    `[${SPACE}]+(?![^${SPACE}])`,
    `[${SPACE}]`,
  ].join('|'),
  'gu',
)

/** No piece reaches over a newline to what follows it, unless that is white space. */
const LINE_START = new RegExp(`(?<=\\n)[^${SPACE}]`, 'gu')

/** How much text is cut into tokens at a time when only its end is wanted. */
const BLOCK = 1 << 16

/** Pieces that were cut before; most of a record's pieces come again. */
const REMEMBERED = 50_000

const tokenizerOf = (ranks: Ranks): Cl100k => {
  const known = new Map<string, readonly string[]>()
  const tokensOf = (piece: string): readonly string[] => {
    const before = known.get(piece)
    if (before !== undefined) return before
    const tokens = bytePairs(Buffer.from(piece).toString('latin1'), ranks)
    if (known.size < REMEMBERED && piece.length < 64) known.set(piece, tokens)
    return tokens
  }
  const tokens = (text: string): readonly string[] =>
    Array.from(text.matchAll(PIECES), ([piece]) => tokensOf(piece)).flat()
  return {
    count: (text) => {
      let count = 0
      for (const [piece] of text.matchAll(PIECES)) count += tokensOf(piece).length
      return count
    },
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
  const last = limit === 0 ? [] : blocks.flat().slice(-limit)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(last.join(''), 'latin1'))
}

const blockStart = (text: string, end: number): number => {
  for (let from = end - BLOCK; from > 0; from -= BLOCK) {
    LINE_START.lastIndex = from
    const found = LINE_START.exec(text)
    if (found !== null && found.index < end) return found.index
  }
  return 0
}
