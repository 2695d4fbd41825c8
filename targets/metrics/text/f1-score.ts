import { split } from '../../../benchmarks/python/text.ts'
import { normalizeText } from './normalize-text.ts'
import { floatScore, intScore, type Score } from '../scoring/points.ts'

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
