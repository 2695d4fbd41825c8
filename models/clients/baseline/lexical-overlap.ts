import { readPrompt } from './prompt.ts'
import { numbers, overlap, sentences } from './words.ts'

/** Word matching: what shares most content words with the question; the earliest wins a tie. */
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
    const { shared } = overlap(text(item), question)
    if (shared > most) {
      found = item
      most = shared
    }
  }
  return found
}
