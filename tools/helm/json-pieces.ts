import { createReadStream } from 'node:fs'
import { ProblemError } from '../../cache/problem.ts'

/** A piece of a JSON document: a whole member of the outer object, or one element of a list that is read in pieces. */
export interface JsonPiece {
  /** Member name as it stands in the file; empty in a document that is a list. */
  readonly key: string
  /** Which element of the list; -1: the whole member. */
  readonly index: number
  readonly text: string
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
 */
class Cutter {
  readonly #split: ReadonlySet<string>
  /** Unfinished text: from the start of the current piece. */
  #text = ''
  #at = 0
  #depth = 0
  #inString = false
  #key = ''
  #base = 1
  #index = -1
  #finished = false

  constructor(split: readonly string[]) {
    this.#split = new Set(split)
  }

  /** True once the outermost value has ended and nothing but blanks came after it. */
  get whole(): boolean {
    return this.#finished && this.#text.trim() === ''
  }

  *push(chunk: string): Generator<JsonPiece> {
    this.#text += chunk
    while (!this.#finished && this.#step()) {
      const piece = this.#structure()
      if (piece !== undefined) yield piece
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

  #structure(): JsonPiece | undefined {
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
  }

  #drop(): void {
    this.#text = this.#text.slice(this.#at)
    this.#at = 0
  }

  #member(): { key: string; text: string } | undefined {
    const match = /^\s*("(?:[^"\\]|\\.)*")\s*:([\s\S]*)$/.exec(this.#text.slice(0, this.#at - 1))
    if (match?.[1] === undefined || match[2] === undefined) return undefined
    return { key: JSON.parse(match[1]) as string, text: match[2] }
  }

  /** The piece that ends before the current token, which is dropped with it. */
  #cut(): JsonPiece | undefined {
    const text = this.#text.slice(0, this.#at - 1)
    const member = this.#index < 0 ? this.#member() : undefined
    this.#drop()
    if (this.#index >= 0) {
      if (text.trim() === '') return undefined
      this.#index += 1
      return { key: this.#key, index: this.#index - 1, text }
    }
    return member === undefined ? undefined : { key: member.key, index: -1, text: member.text }
  }
}

/**
 * Reads a JSON file of any size piece by piece.
 * @throws ProblemError `tools/torn-file` when the file ends before its outermost value does.
 */
export const jsonPieces = async function* (
  file: string,
  split: readonly string[],
): AsyncGenerator<JsonPiece> {
  const cutter = new Cutter(split)
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 16 })) {
    yield* cutter.push(chunk as string)
  }
  if (!cutter.whole) throw torn(file)
}
