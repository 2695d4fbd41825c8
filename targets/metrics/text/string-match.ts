import { strip, DIGIT, lower, split, WORD } from '../../../benchmarks/python/text.ts'
import { floatScore, intScore, type Score } from '../metric.ts'

/**
 * String comparisons of a right answer with a given one (HELM.md T16): 1 for a match, 0 for none.
 * A missing answer (undefined: a letter that no option has) never matches.
 */
export type StringMatch = (gold: string, answer: string | undefined) => number

const match =
  (matches: (gold: string, answer: string) => boolean): StringMatch =>
  (gold, answer) =>
    answer !== undefined && answer !== '' && matches(gold, answer) ? 1 : 0

/** Equal but for outer blanks. */
export const exactMatch: StringMatch = match((gold, answer) => strip(gold) === strip(answer))

/** Equal after normalisation. */
export const quasiExactMatch: StringMatch = match(
  (gold, answer) => normalizeText(gold) === normalizeText(answer),
)

/** Equal after a normalisation that leaves articles in. */
export const quasiLeaveArticlesExactMatch: StringMatch = match(
  (gold, answer) => normalizeTextKeepingArticles(gold) === normalizeTextKeepingArticles(answer),
)

/** The answer starts with the right one. */
export const prefixExactMatch: StringMatch = match((gold, answer) => strip(answer).startsWith(strip(gold)))

/** The same after normalisation; every answer starts with a right one that normalises to nothing, such as `A`. */
export const quasiPrefixExactMatch: StringMatch = match((gold, answer) =>
  normalizeText(answer).startsWith(normalizeText(gold)),
)

/** The same, but a right answer that normalises to nothing is compared with its articles, or as it is written. */
export const quasiPrefixOrLetterMatch: StringMatch = match((gold, answer) => {
  if (normalizeText(gold) !== '') return quasiPrefixExactMatch(gold, answer) === 1
  const letter = normalizeTextKeepingArticles(gold)
  return letter === ''
    ? strip(gold) === strip(answer)
    : normalizeTextKeepingArticles(answer).startsWith(letter)
})

const lastWord = (text: string): string => strip(text.slice(text.lastIndexOf(' ') + 1))

/** Exact match of what follows the last blanks. */
export const exactMatchIndicator: StringMatch = match(
  (gold, answer) => exactMatch(lastWord(gold), lastWord(answer)) === 1,
)

const NUMBER = new RegExp(`-?[${DIGIT},]+(?:.[${DIGIT}]+)?`, 'gu')

const lastNumber = (text: string): string => (text.match(NUMBER)?.at(-1) ?? '').replaceAll(',', '')

/** Exact match of the last numbers as they are written, commas left out. */
export const finalNumberExactMatch: StringMatch = match(
  (gold, answer) => exactMatch(lastNumber(gold), lastNumber(answer)) === 1,
)

/** Python's string.punctuation. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g
/** Python's `\b(a|an|the)\b`: word characters are those of Unicode. */
const ARTICLE = new RegExp(`(?<![${WORD}])(?:a|an|the)(?![${WORD}])`, 'gu')

const withoutPunctuation = (text: string): string => lower(text).replaceAll(PUNCTUATION, '')
const withSingleBlanks = (text: string): string => split(text).join(' ')

/** Lower case, no ASCII punctuation, no English articles, single blanks (HELM.md T16). */
export const normalizeText = (text: string): string =>
  withSingleBlanks(withoutPunctuation(text).replaceAll(ARTICLE, ' '))

/** The same with the articles left in. */
export const normalizeTextKeepingArticles = (text: string): string =>
  withSingleBlanks(withoutPunctuation(text))

const words = (text: string): ReadonlySet<string> => new Set(split(normalizeText(text)))

/**
 * F-measure of the sets of normalised words, 0–1, higher is better (HELM.md T16).
 * The int 0 without a shared word, the float 0 when a side is empty: NLTK's two ways to say so.
 */
export const f1Score = (gold: string, answer: string): Score => {
  const expected = words(gold)
  const given = words(answer)
  if (expected.size === 0 || given.size === 0) return floatScore(0)
  let shared = 0
  for (const word of given) if (expected.has(word)) shared++
  if (shared === 0) return intScore(0)
  // Weighted harmonic mean in NLTK's order of operations, which shows in the last bit.
  return floatScore(1 / (0.5 / (shared / given.size) + 0.5 / (shared / expected.size)))
}
