import { readFileSync } from 'node:fs'

/** Token bytes, one character a byte → rank, which is also the token's number. */
export type Ranks = ReadonlyMap<string, number>

/** Reads tiktoken's vocabulary format: a line is a token's bytes in base64, a blank and its rank. */
export const readRanks = (file: string): Ranks => {
  const ranks = new Map<string, number>()
  for (const line of readFileSync(file, 'latin1').split('\n')) {
    const blank = line.indexOf(' ')
    if (blank > 0)
      ranks.set(Buffer.from(line.slice(0, blank), 'base64').toString('latin1'), Number(line.slice(blank)))
  }
  return ranks
}

/** Splits a piece's bytes into tokens: of all neighbours the pair of lowest rank is joined, the first of equals. */
export const bytePairs = (bytes: string, ranks: Ranks): readonly string[] => {
  if (ranks.has(bytes)) return [bytes]
  const parts = bytes.split('')
  const rankAt = (index: number): number => {
    const [first, second] = [parts[index], parts[index + 1]]
    return first === undefined || second === undefined ? Infinity : (ranks.get(first + second) ?? Infinity)
  }
  const pairs = parts.map((_, index) => rankAt(index))
  for (;;) {
    let lowest = 0
    for (let index = 1; index < pairs.length; index++)
      if ((pairs[index] ?? Infinity) < (pairs[lowest] ?? Infinity)) lowest = index
    if ((pairs[lowest] ?? Infinity) === Infinity) return parts
    parts[lowest] = (parts[lowest] ?? '') + (parts[lowest + 1] ?? '')
    parts.splice(lowest + 1, 1)
    pairs.splice(lowest + 1, 1)
    pairs[lowest] = rankAt(lowest)
    if (lowest > 0) pairs[lowest - 1] = rankAt(lowest - 1)
  }
}
