import { digestOf } from '../../../cache/values/digest.ts'
import { readPrompt } from './prompt.ts'
import { contentWords } from './words.ts'

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
