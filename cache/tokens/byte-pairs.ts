import { readFileSync } from 'node:fs'

/** A vocabulary: the rank of some bytes, which is also the token's number; `NO_TOKEN` where they are none. */
export type Ranks = (bytes: Uint8Array, from: number, to: number) => number

/** Above every rank, and still a small integer: V8 keeps lists of those as they are. */
export const NO_TOKEN = 2 ** 30 - 1

const NEWLINE = 10
const BLANK = 32
const PADDING = '='.charCodeAt(0)
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const DIGITS = new Uint8Array(128)
for (let value = 0; value < ALPHABET.length; value += 1) DIGITS[ALPHABET.charCodeAt(value)] = value

/**
 * Reads tiktoken's vocabulary format: a line is a token's bytes in base64, a blank and its rank, which is the number of
 * the line. Kept as a table of hashes over the bytes: a map of 100,000 texts takes five times as long to fill.
 */
export const readRanks = (file: string): Ranks => {
  const { all, ends, hashes } = decoded(readFileSync(file))
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * hashes.length + 4)))
  const last = slots.length - 1
  for (let line = 0; line < hashes.length;) {
    let slot = (hashes[line] as number) & last
    while (slots[slot] !== 0) slot = (slot + 1) & last
    slots[slot] = ++line
  }
  return (bytes, from, to) => {
    for (let slot = hashOf(bytes, from, to); ; slot += 1) {
      const entry = slots[slot & last] as number
      if (entry === 0) return NO_TOKEN
      const start = ends[entry - 1] as number
      if ((ends[entry] as number) - start === to - from && areEqual(all, start, bytes, from, to - from))
        return entry - 1
    }
  }
}

interface Vocabulary {
  /** All tokens' bytes, one after the other. */
  readonly all: Uint8Array
  /** Where each begins in them, and the end of the last. */
  readonly ends: Uint32Array
  /** `hashOf` each. */
  readonly hashes: Uint32Array
}

/** In one go over the file's bytes: asking a buffer for each line's end costs more than all else. */
const decoded = (text: Uint8Array): Vocabulary => {
  const all = new Uint8Array(text.length)
  // The shortest line has a letter of base64, a blank, a digit and its end.
  const most = Math.ceil(text.length / 4) + 1
  const ends = new Uint32Array(most)
  const hashes = new Uint32Array(most)
  let count = 0
  let end = 0
  for (let at = 0; at < text.length; at += 1) {
    let hash = BASIS
    let bits = 0
    let held = 0
    for (let letter = text[at] as number; letter !== BLANK; letter = text[++at] ?? BLANK) {
      if (letter === PADDING) continue
      bits = ((bits & 0xff) << 6) | (DIGITS[letter] as number)
      held += 6
      if (held < 8) continue
      held -= 8
      const byte = bits >> held
      all[end++] = byte
      hash = Math.imul(hash ^ (byte & 0xff), PRIME)
    }
    hashes[count] = hash ^ (hash >>> 15)
    ends[++count] = end
    while (at < text.length && text[at] !== NEWLINE) at += 1
  }
  return { all: all.slice(0, end), ends: ends.slice(0, count + 1), hashes: hashes.subarray(0, count) }
}

/** FNV-1a. */
const BASIS = 0x811c9dc5
const PRIME = 0x01000193
const hashOf = (bytes: Uint8Array, from: number, to: number): number => {
  let hash = BASIS
  for (let index = from; index < to; index += 1) hash = Math.imul(hash ^ (bytes[index] as number), PRIME)
  return (hash ^ (hash >>> 15)) >>> 0
}

const areEqual = (a: Uint8Array, atA: number, b: Uint8Array, atB: number, length: number): boolean => {
  for (let index = 0; index < length; index += 1) if (a[atA + index] !== b[atB + index]) return false
  return true
}

/**
 * Splits a piece's bytes into tokens: of all neighbours the pair of lowest rank is joined, the first of equals.
 *
 * @returns where each token begins, and the end of the last
 */
export const bytePairs = (bytes: Uint8Array, ranks: Ranks): readonly number[] => {
  if (ranks(bytes, 0, bytes.length) !== NO_TOKEN) return [0, bytes.length]
  if (bytes.length > SHORT) return longPairs(bytes, ranks)
  const bounds = [0]
  for (let index = 1; index <= bytes.length; index += 1) bounds.push(index)
  /** Ranks of neighbours, by the first. */
  const pairs: number[] = []
  for (let index = 0; index + 1 < bytes.length; index += 1) pairs.push(ranks(bytes, index, index + 2))
  const rankAt = (index: number): number => ranks(bytes, bounds[index] as number, bounds[index + 2] as number)
  for (;;) {
    let lowest = 0
    let least = NO_TOKEN
    for (let index = 0; index < pairs.length; index += 1) {
      const rank = pairs[index] as number
      if (rank >= least) continue
      least = rank
      lowest = index
    }
    if (least === NO_TOKEN) return bounds
    drop(bounds, lowest + 1)
    drop(pairs, lowest)
    if (lowest < pairs.length) pairs[lowest] = rankAt(lowest)
    if (lowest > 0) pairs[lowest - 1] = rankAt(lowest - 1)
  }
}

/** Bytes up to which a look at all neighbours for each joint is the fastest way; a cell without a break may have millions. */
const SHORT = 256

/** Places in a piece, and more than there are tokens times that is still exact. */
const PLACES = 2 ** 32

/** The same by a queue of pairs, of which those that are no more are passed over. */
const longPairs = (bytes: Uint8Array, ranks: Ranks): readonly number[] => {
  const size = bytes.length
  /** The ends of tokens by their start, and the other way round; where the next token begins and the one before. */
  const ends = Uint32Array.from({ length: size }, (_, at) => at + 1)
  const starts = Uint32Array.from({ length: size + 1 }, (_, at) => Math.max(0, at - 1))
  const pairs = new Int32Array(size).fill(NO_TOKEN)
  const queue = new Queue(3 * size)
  const look = (at: number): void => {
    const middle = ends[at] as number
    const rank = middle === size ? NO_TOKEN : ranks(bytes, at, ends[middle] as number)
    pairs[at] = rank
    if (rank !== NO_TOKEN) queue.add(rank * PLACES + at)
  }
  for (let at = 0; at < size; at += 1) look(at)
  for (let least = queue.take(); least !== undefined; least = queue.take()) {
    const at = least % PLACES
    if (pairs[at] !== (least - at) / PLACES) continue
    const middle = ends[at] as number
    const end = ends[middle] as number
    pairs[middle] = NO_TOKEN
    ends[at] = end
    starts[end] = at
    look(at)
    if (at > 0) look(starts[at] as number)
  }
  const bounds = [0]
  for (let at = 0; at < size; at = ends[at] as number) bounds.push(ends[at] as number)
  return bounds
}

/** Gives the least of its numbers first: a binary heap. */
class Queue {
  private readonly heap: Float64Array
  private size = 0

  constructor(most: number) {
    this.heap = new Float64Array(most)
  }

  add(value: number): void {
    let at = this.size++
    for (let above = (at - 1) >> 1; at > 0 && this.at(above) > value; above = (at - 1) >> 1) {
      this.heap[at] = this.at(above)
      at = above
    }
    this.heap[at] = value
  }

  take(): number | undefined {
    if (this.size === 0) return undefined
    const least = this.at(0)
    const last = this.at(--this.size)
    let at = 0
    for (let below = 1; below < this.size; below = 2 * at + 1) {
      if (below + 1 < this.size && this.at(below + 1) < this.at(below)) below += 1
      if (this.at(below) >= last) break
      this.heap[at] = this.at(below)
      at = below
    }
    this.heap[at] = last
    return least
  }

  private at(index: number): number {
    return this.heap[index] as number
  }
}

/** `splice` of one, which would make a list of what it drops. */
const drop = (list: number[], index: number): void => {
  for (let at = index + 1; at < list.length; at += 1) list[at - 1] = list[at] as number
  list.pop()
}
