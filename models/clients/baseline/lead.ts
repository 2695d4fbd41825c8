import { readPrompt, type Option } from './prompt.ts'
import { countTokens, firstTokens, sentences } from './words.ts'

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
