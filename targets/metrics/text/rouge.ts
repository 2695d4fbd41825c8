import { stem } from './porter.ts'

/** Words at least this long are stemmed. */
const STEMMED_FROM = 4

/** Precision, recall and their harmonic mean, each 0–1, higher is better. */
export interface RougeScore {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** The scores of one candidate against one reference. */
export interface RougeScores {
  readonly rouge1: RougeScore
  readonly rouge2: RougeScore
  readonly rougeL: RougeScore
  /** One side has no token: HELM then writes ROUGE-L as the int 0. */
  readonly empty: boolean
}

/**
 * Tokens as numbers. The reference's are 0, 1, … by first occurrence; a candidate's token that the reference lacks
 * is -1: it can match nothing, whatever it is.
 */
interface Pair {
  readonly reference: readonly number[]
  readonly candidate: readonly number[]
  /** How many different tokens the reference has. */
  readonly kinds: number
}

/**
 * Numbers of the words met so far, words of one stem sharing a number. Stemming and hashing words is most of ROUGE's
 * work, and the texts of a run share their words. Emptied between two pairs when it has grown large.
 */
const vocabulary = { words: new Map<string, number>(), stems: new Map<string, number>() }
const WORDS_KEPT = 200_000

const numberOfWord = (word: string): number => {
  let number = vocabulary.words.get(word)
  if (number === undefined) {
    const stemmed = word.length >= STEMMED_FROM ? stem(word) : word
    number = vocabulary.stems.get(stemmed) ?? vocabulary.stems.size
    vocabulary.stems.set(stemmed, number)
    vocabulary.words.set(word, number)
  }
  return number
}

const isLetterOrDigit = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 48 && code <= 57)

/**
 * Runs of ASCII letters and digits in lower case, the longer ones stemmed (HELM.md T17).
 * Lower-casing by JavaScript and by Python agree on what ends up as ASCII.
 */
const numberTokens = (text: string): number[] => {
  const lower = text.toLowerCase()
  const numbers: number[] = []
  let start = -1
  for (let index = 0; index <= lower.length; index++) {
    if (isLetterOrDigit(lower.charCodeAt(index))) {
      if (start < 0) start = index
    } else if (start >= 0) {
      numbers.push(numberOfWord(lower.slice(start, index)))
      start = -1
    }
  }
  return numbers
}

/** Renumbers what the reference holds from 0 on and what it lacks as -1. */
const pairUp = (reference: readonly number[], candidate: readonly number[]): Pair => {
  const numbers = new Map<number, number>()
  for (const token of reference) if (!numbers.has(token)) numbers.set(token, numbers.size)
  const renumber = (token: number): number => (token < 0 ? -1 : (numbers.get(token) ?? -1))
  return { reference: reference.map(renumber), candidate: candidate.map(renumber), kinds: numbers.size }
}

/** Neighbouring tokens as one number each, -1 where one of the two is. */
const joinNeighbours = (tokens: readonly number[], kinds: number): number[] => {
  const joined: number[] = []
  for (let index = 1; index < tokens.length; index++) {
    const left = tokens[index - 1] as number
    const right = tokens[index] as number
    joined.push(left < 0 || right < 0 ? -1 : left * kinds + right)
  }
  return joined
}

const bigrams = ({ reference, candidate, kinds }: Pair): Pair =>
  pairUp(joinNeighbours(reference, kinds), joinNeighbours(candidate, kinds))

const score = (precision: number, recall: number): RougeScore => ({
  precision,
  recall,
  // In this order: another one differs in the last bit.
  f1: precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0,
})

const ratios = (common: number, { reference, candidate }: Pair): RougeScore =>
  score(common / Math.max(candidate.length, 1), common / Math.max(reference.length, 1))

/** How many tokens the two share, each counted as often as both sides have it. */
const sharedTokens = ({ reference, candidate, kinds }: Pair): number => {
  const unmatched = new Int32Array(kinds)
  for (const token of reference) unmatched[token] = (unmatched[token] as number) + 1
  let shared = 0
  for (const token of candidate) {
    const left = token < 0 ? 0 : (unmatched[token] as number)
    if (left === 0) continue
    unmatched[token] = left - 1
    shared++
  }
  return shared
}

/**
 * Length of the longest common subsequence. A row of the usual table is kept as bits (Hyyrö 2004): a cleared bit is a
 * column at which the row's value rises.
 */
const longestCommonSubsequence = ({ reference, candidate, kinds }: Pair): number => {
  const words = Math.ceil(reference.length / 32)
  const matches = new Int32Array(kinds * words)
  for (let index = 0; index < reference.length; index++) {
    const word = (reference[index] as number) * words + (index >>> 5)
    matches[word] = (matches[word] as number) | (1 << (index & 31))
  }
  const row = new Int32Array(words).fill(-1)
  for (const token of candidate) {
    if (token < 0) continue
    let carry = 0
    for (let word = 0; word < words; word++) {
      const bits = row[word] as number
      const matched = bits & (matches[token * words + word] as number)
      const sum = (bits >>> 0) + (matched >>> 0) + carry
      carry = sum > 0xffffffff ? 1 : 0
      row[word] = sum | (bits & ~matched)
    }
  }
  let length = 0
  for (let index = 0; index < reference.length; index++)
    if ((((row[index >>> 5] as number) >>> (index & 31)) & 1) === 0) length++
  return length
}

/**
 * ROUGE-1, ROUGE-2 and ROUGE-L with stemming, equal to rouge_score 0.1.2 to the last bit (HELM.md T17).
 * N-grams of the candidate count at most as often as the reference has them; L is the longest common subsequence.
 */
export const rouge = (reference: string, candidate: string): RougeScores => {
  if (vocabulary.words.size > WORDS_KEPT) {
    vocabulary.words.clear()
    vocabulary.stems.clear()
  }
  const tokens = pairUp(numberTokens(reference), numberTokens(candidate))
  const pairs = bigrams(tokens)
  return {
    rouge1: ratios(sharedTokens(tokens), tokens),
    rouge2: ratios(sharedTokens(pairs), pairs),
    rougeL: ratios(longestCommonSubsequence(tokens), tokens),
    empty: tokens.reference.length === 0 || tokens.candidate.length === 0,
  }
}
