import { digestOf } from '../../../cache/values/digest.ts'
import { readPrompt, type Option } from './prompt.ts'
import { contentWords, countTokens, firstTokens, numbers, overlap, sentences, trigrams } from './words.ts'

/**
 * Chance: an option, a number that the question allows, else a number or word of the prompt; drawn by the
 * prompt's own sha256 and so always the same.
 */
export const randomChoice = (prompt: string): string => {
  const { kind, options, numbers, range, source } = readPrompt(prompt)
  if (kind === 'choice') return draw(prompt, options)?.letter ?? ''
  if (kind === 'calculation') return draw(prompt, range.length > 0 ? range : numbers) ?? ''
  return draw(prompt, contentWords(source)) ?? ''
}

/** 48 bits of the digest leave no bias worth a thought among a few hundred items. */
const draw = <T>(prompt: string, items: readonly T[]): T | undefined =>
  items[Number.parseInt(digestOf<'prompt'>(prompt).slice(0, 12), 16) % items.length]

/** Position alone: the first option, the last number of a calculation, else the first sentence. */
export const firstChoice = (prompt: string): string => {
  const { kind, options, numbers, source } = readPrompt(prompt)
  if (kind === 'choice') return options[0]?.letter ?? ''
  if (kind === 'calculation') return numbers.at(-1) ?? ''
  return sentences(source)[0] ?? ''
}

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

/**
 * The opening of the source text: as many whole sentences as `maxTokens` words hold, or the fewer words that the
 * prompt allows (`at most 120 words`).
 * A calculation gets the first number. Options have no opening to copy, so the longest one is taken, the earliest of
 * equals: its score shows how far length gives the right option away.
 */
export const lead = (prompt: string, maxTokens: number): string => {
  const { kind, options, numbers, source } = readPrompt(prompt)
  if (kind === 'choice') return longest(options)?.letter ?? ''
  if (kind === 'calculation') return numbers[0] ?? ''
  const taken: string[] = []
  const limit = Math.min(maxTokens, Number(/\bat most (\d+) words\b/i.exec(prompt)?.[1] ?? maxTokens))
  let left = limit
  for (const sentence of sentences(source)) {
    const size = countTokens(sentence)
    if (size > left) break
    taken.push(sentence)
    left -= size
  }
  return taken.length > 0 ? taken.join(' ') : firstTokens(source, limit)
}

const longest = (options: readonly Option[]): Option | undefined =>
  options.reduce<Option | undefined>(
    (best, option) => (best === undefined || option.text.length > best.text.length ? option : best),
    undefined,
  )
