import { lower, split } from '../../../benchmarks/python/text.ts'
import { WORD } from '../../../benchmarks/python/unicode.ts'

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
