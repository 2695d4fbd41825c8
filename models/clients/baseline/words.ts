/** Words that carry no content; overlap that counts them would reward any English text. */
const STOP_WORDS = new Set(
  (
    'a about after all also am an and any are as at be been before being but by can could did do does for from ' +
    'had has have he her hers him his how i if in into is it its may me more most my no nor not of on one or our ' +
    'she should so some such than that the their them then there these they this those to up us was we were what ' +
    'when where which who whom why will with would you your'
  ).split(' '),
)

const WORD = /[\p{L}\p{N}]+(?:[.'’-][\p{L}\p{N}]+)*/gu

/** Lower-case words without English function words; a decimal such as 7.35 is one word. */
export const contentWords = (text: string): readonly string[] =>
  (text.toLowerCase().match(WORD) ?? []).filter((word) => !STOP_WORDS.has(word))

/** How many of the distinct content words `of` occur in `within`, and how many there are. */
export const overlap = (of: string, within: string): { readonly shared: number; readonly total: number } => {
  const words = new Set(contentWords(of))
  const known = new Set(contentWords(within))
  return { shared: [...words].filter((word) => known.has(word)).length, total: words.size }
}

/** Runs of three letters or digits within the content words. */
export const trigrams = (text: string): ReadonlySet<string> =>
  new Set(
    contentWords(text).flatMap((word) =>
      Array.from({ length: Math.max(word.length - 2, 0) }, (_, start) => word.slice(start, start + 3)),
    ),
  )

const SENTENCE_END = /(?<=[.!?])(?<!\b(?:Dr|Mr|Mrs|Ms|St|vs|e\.g|i\.e)\.)\s+(?=["'(]?[\p{Lu}\d])|\n+/u

/** Sentences and lines, trimmed, in order. */
export const sentences = (text: string): readonly string[] =>
  text
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')

/** Tokens of embedded models: words between white space. */
export const countTokens = (text: string): number => text.match(/\S+/g)?.length ?? 0

/** The text up to the end of its `count`-th token, white space between tokens kept. */
export const firstTokens = (text: string, count: number): string => {
  let end = 0
  let seen = 0
  for (const match of text.matchAll(/\S+/g)) {
    if (seen === count) break
    seen += 1
    end = match.index + match[0].length
  }
  return text.slice(0, end)
}

const NUMBER = /(?<![\p{L}\p{N}.,/-])\d+(?:,\d{3})*(?:\.\d+)?(?![\p{L}\p{N}]|[-/]\p{L})/gu

/** Numbers that stand alone, as written; none out of a name such as H2 or CURB-65. */
export const numbers = (text: string): readonly string[] => text.match(NUMBER) ?? []
