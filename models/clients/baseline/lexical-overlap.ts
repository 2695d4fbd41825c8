import { readPrompt } from './prompt.ts'
import { numbers, overlap, sentences, trigrams } from './words.ts'

/**
 * Word matching: what shares most content words with the question; of equals, the one that shares most of its letter
 * trigrams, then the earliest.
 */
export const lexicalOverlap = (prompt: string): string => {
  const { kind, options, question, source } = readPrompt(prompt)
  const closest = <T>(items: readonly T[], text: (item: T) => string): T | undefined =>
    best(items, text, question)
  if (kind === 'choice') return closest(options, (option) => option.text)?.letter ?? ''
  const candidates = sentences(source)
  if (kind === 'text') return closest(candidates, (sentence) => sentence) ?? ''
  const withNumber = [...candidates, ...sentences(question)].filter(
    (sentence) => numbers(sentence).length > 0,
  )
  return numbers(closest(withNumber, (sentence) => sentence) ?? '')[0] ?? ''
}

const best = <T>(items: readonly T[], text: (item: T) => string, question: string): T | undefined => {
  let found: T | undefined
  let most = -1
  for (const item of items) {
    const likeness = overlap(text(item), question).shared + trigramShare(text(item), question)
    if (likeness > most) {
      found = item
      most = likeness
    }
  }
  return found
}

/** Share of the text's letter trigrams that occur in the question, below 1 so that it only breaks ties. */
const trigramShare = (text: string, question: string): number => {
  const known = trigrams(question)
  const own = trigrams(text)
  return [...own].filter((trigram) => known.has(trigram)).length / (own.size + 1)
}
