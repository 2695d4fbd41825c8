import { readPrompt } from './prompt.ts'
import { sentences } from './words.ts'

/** Position alone: the first option, the last number of a calculation, else the first sentence. */
export const firstChoice = (prompt: string): string => {
  const { kind, options, numbers, source } = readPrompt(prompt)
  if (kind === 'choice') return options[0]?.letter ?? ''
  if (kind === 'calculation') return numbers.at(-1) ?? ''
  return sentences(source)[0] ?? ''
}
