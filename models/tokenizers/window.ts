import type { Tokenizer } from './tokenizer.ts'

/** The request window of a deployment: which prompts fit and how the others are cut. */
export interface Window {
  /** Undefined: any length fits (HELM's no-tokenizer service). */
  readonly maxRequestLength?: number
  readonly tokenizer?: Tokenizer
}

export interface Fitted {
  readonly text: string
  readonly truncated: boolean
}

/** True when prompt and answer fit the window. Where bytes bound tokens from above, short prompts need no tokenizer. */
export const fits = (text: string, maxTokens: number, window: Window): boolean => {
  const { maxRequestLength, tokenizer } = window
  if (maxRequestLength === undefined || tokenizer === undefined) return true
  if (tokenizer.faithful && Buffer.byteLength(text) + maxTokens <= maxRequestLength) return true
  return tokenizer.count(text) + maxTokens <= maxRequestLength
}

/**
 * HELM's truncate_from_right (HELM.md M4): cut to the window's tokens, then drop code points until it fits.
 * A text that a tokenizer gives back shorter counts as cut even where it fits; one that is no shorter stays as it was.
 * HELM loops for ever when maxTokens alone exceeds the window; here nothing is left of the prompt then.
 */
export const truncateFromRight = (text: string, maxTokens: number, window: Window): Fitted => {
  const { maxRequestLength, tokenizer } = window
  if (maxRequestLength === undefined || tokenizer === undefined) return { text, truncated: false }
  if (tokenizer.faithful && fits(text, maxTokens, window)) return { text, truncated: false }
  const points = Array.from(tokenizer.head(text, maxRequestLength - maxTokens))
  while (points.length > 0 && tokenizer.count(points.join('')) + maxTokens > maxRequestLength) points.pop()
  return points.length < lengthOf(text)
    ? { text: points.join(''), truncated: true }
    : { text, truncated: false }
}

const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}
