import { closeSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { setImmediate } from 'node:timers/promises'
import { plain } from '../../../cache/files/read.ts'
import { requireUtf8 } from '../../../cache/files/utf8.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'

/** A piece of a JSON document: a whole member of the outer object, or one element of a list that is read in pieces. */
interface JsonPiece<T> {
  /** Member name as it stands in the file; empty in a document that is a list. */
  readonly key: string
  /** Which element of the list; -1: the whole member, of a list in pieces one without any. */
  readonly index: number
  readonly text: string
  /** What `parse` made of an element on the way; absent where its text must be parsed yet. */
  readonly value?: T
}

const torn = (file: string): ProblemError =>
  new ProblemError({
    code: 'tools/torn-file',
    message: `${file} ends before its JSON does, or holds no JSON.`,
    where: { file },
    remedy: 'The program that wrote it was stopped half-way: run the entry again.',
  })

/** Everything that changes the depth or ends a value; strings are stepped over whole. */
const TOKENS = /["[\]{},]/g
const STRING_REST = /["\\]/g

/**
 * Cuts a JSON text that arrives in chunks into pieces. Lists named in `split` (`''`: a document that is a list) are
 * cut into their elements, other members stay whole. Holds one piece at a time.
 *
 * Where an element stands in Python's own layout, it ends at the first line that closes at its indentation: what parses
 * up to there is the whole element, and nobody need look at its characters. Everything else is cut token by token.
 */
class Cutter<T> {
  readonly #split: ReadonlySet<string>
  readonly #parse: (text: string) => T
  /** Unfinished text: from the start of the current piece. */
  #text = ''
  #at = 0
  #depth = 0
  #inString = false
  #key = ''
  #base = 1
  #index = -1
  #finished = false
  /** False once an element stood in another layout than Python's. */
  #laidOut = true
  /** True from the start of an element until its end is looked for by tokens. */
  #begun = false
  /** Up to where the end of the element in hand was looked for. */
  #searched = 0

  constructor(split: readonly string[], parse: (text: string) => T) {
    this.#split = new Set(split)
    this.#parse = parse
  }

  /** True once the outermost value has ended and nothing but blanks came after it. */
  get whole(): boolean {
    return this.#finished && this.#text.trim() === ''
  }

  *push(chunk: string): Generator<JsonPiece<T>> {
    this.#text += chunk
    while (!this.#finished) {
      if (this.#begun && this.#laidOut) {
        const end = this.#endOfElement()
        if (end === 'to come') return
        const element = end === undefined ? undefined : this.#element(end)
        if (element === undefined) this.#laidOut = false
        else yield element
        this.#begun = false
      }
      if (!this.#step()) return
      const piece = this.#structure()
      if (piece !== undefined) yield piece
    }
  }

  /** Nothing more is to come. */
  *end(): Generator<JsonPiece<T>> {
    this.#laidOut = false
    yield* this.push('')
  }

  /** Where the element in hand ends if it stands in Python's layout; undefined if it does not. */
  #endOfElement(): number | 'to come' | undefined {
    const margin = `\n${'  '.repeat(this.#base)}`
    const opening = `${margin}{${margin}  `
    if (this.#text.length < opening.length) return opening.startsWith(this.#text) ? 'to come' : undefined
    if (!this.#text.startsWith(opening)) return undefined
    const closing = `${margin}}`
    const close = this.#text.indexOf(closing, this.#searched)
    const end = close + closing.length
    const last = `${margin.slice(0, -2)}]`
    if (close < 0 || this.#text.length < end + last.length) {
      this.#searched = close < 0 ? Math.max(0, this.#text.length - closing.length) : close
      return 'to come'
    }
    return this.#text[end] === ',' || this.#text.startsWith(last, end) ? end : undefined
  }

  /** Undefined where the text up to there is no whole value: in another layout after all, or damaged. */
  #element(end: number): JsonPiece<T> | undefined {
    const text = this.#text.slice(0, end)
    try {
      const piece = { key: this.#key, index: this.#index, text, value: this.#parse(text) }
      this.#at = end
      this.#drop()
      this.#index += 1
      return piece
    } catch {
      // Cutting by tokens finds where it ends, and whoever reads the piece says what is wrong with it.
      return undefined
    }
  }

  /** Moves behind the next structural character outside strings; false when the text ran out. */
  #step(): boolean {
    for (;;) {
      const pattern = this.#inString ? STRING_REST : TOKENS
      pattern.lastIndex = this.#at
      const match = pattern.exec(this.#text)
      if (match === null) {
        this.#at = this.#text.length
        return false
      }
      if (match[0] === '\\') {
        // The escaped character may still be to come; the regex then starts behind the end and waits.
        if (match.index + 1 >= this.#text.length) {
          this.#at = match.index
          return false
        }
        this.#at = match.index + 2
      } else {
        this.#at = match.index + 1
        if (match[0] !== '"') return true
        this.#inString = !this.#inString
      }
    }
  }

  #structure(): JsonPiece<T> | undefined {
    const token = this.#text[this.#at - 1]
    if (token === '{' || token === '[') {
      this.#depth += 1
      return this.#opened(token)
    }
    if (token === ',') return this.#depth === this.#base ? this.#cut() : undefined
    const closes = this.#depth === this.#base
    this.#depth -= 1
    const piece = closes ? this.#cut() : undefined
    if (closes && this.#index >= 0) this.#leave()
    if (this.#depth === 0) this.#finished = true
    return piece
  }

  #opened(token: string): undefined {
    if (this.#depth === 1) {
      if (token === '[' && this.#split.has('')) this.#index = 0
      this.#drop()
    } else if (token === '[' && this.#depth === 2 && this.#index < 0) {
      const key = this.#member()?.key
      if (key === undefined || !this.#split.has(key)) return
      this.#key = key
      this.#base = 2
      this.#index = 0
      this.#drop()
    }
  }

  #leave(): void {
    this.#index = -1
    this.#base = 1
    this.#key = ''
    this.#begun = false
  }

  #drop(): void {
    this.#text = this.#text.slice(this.#at)
    this.#at = 0
    this.#begun = this.#index >= 0
    this.#searched = 0
  }

  #member(): { key: string; text: string } | undefined {
    const match = /^\s*("(?:[^"\\]|\\.)*")\s*:([\s\S]*)$/.exec(this.#text.slice(0, this.#at - 1))
    if (match?.[1] === undefined || match[2] === undefined) return undefined
    return { key: JSON.parse(match[1]) as string, text: match[2] }
  }

  /** The piece that ends before the current token, which is dropped with it. */
  #cut(): JsonPiece<T> | undefined {
    const text = this.#text.slice(0, this.#at - 1)
    const member = this.#index < 0 ? this.#member() : undefined
    this.#drop()
    if (this.#index >= 0) {
      if (text.trim() === '') return this.#index > 0 ? undefined : { key: this.#key, index: -1, text: '[]' }
      this.#index += 1
      return { key: this.#key, index: this.#index - 1, text }
    }
    return member === undefined ? undefined : { key: member.key, index: -1, text: member.text }
  }
}

const READ_BYTES = 1 << 16
/** After that many the process may do something else. */
const READS_IN_ONE_GO = 64

/** A file's chunks, read at once: by way of a stream they take four times the CPU time, and wait for each other. */
const chunksOf = function* (file: string): Generator<Buffer> {
  const opened = openSync(plain(file), 'r')
  try {
    const bytes = Buffer.allocUnsafeSlow(READ_BYTES)
    for (let count = 1; count > 0;) {
      count = readSync(opened, bytes, 0, READ_BYTES, null)
      if (count > 0) yield bytes.subarray(0, count)
    }
  } finally {
    closeSync(opened)
  }
}

const textChunks = async function* (file: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let reads = 0
  let isChecked = false
  /** The decoder writes U+FFFD for bytes that it can't read; a file may hold some of its own. */
  const checked = (text: string): string => {
    if (isChecked || !text.includes('\ufffd')) return text
    requireUtf8(chunksOf(file), file)
    isChecked = true
    return text
  }
  for (const bytes of chunksOf(file)) {
    yield checked(decoder.write(bytes))
    reads += 1
    if (reads % READS_IN_ONE_GO === 0) await setImmediate()
  }
  yield checked(decoder.end())
}

/**
 * Reads a JSON file of any size piece by piece.
 *
 * @param parse reads an element; throws for a text that is not one whole value
 * @throws ProblemError `tools/torn-file` when the file ends before its outermost value does; `system/not-utf8`
 */
export const jsonPieces = async function* <T>(
  file: string,
  split: readonly string[],
  parse: (text: string) => T,
): AsyncGenerator<JsonPiece<T>> {
  const cutter = new Cutter(split, parse)
  for await (const chunk of textChunks(file)) yield* cutter.push(chunk)
  yield* cutter.end()
  if (!cutter.whole) throw torn(file)
}
