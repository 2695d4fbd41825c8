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

/** True when prompt and answer fit the window. Bytes bound tokens from above, so short prompts need no tokenizer. */
export const fits = (text: string, maxTokens: number, window: Window): boolean => {
  const { maxRequestLength, tokenizer } = window
  if (maxRequestLength === undefined || tokenizer === undefined) return true
  if (Buffer.byteLength(text) + maxTokens <= maxRequestLength) return true
  return tokenizer.count(text) + maxTokens <= maxRequestLength
}

/**
 * HELM's truncate_from_right (helm-core.md §3.5): cut to the window's tokens, then drop code points until it fits.
 * HELM loops for ever when maxTokens alone exceeds the window; here nothing is left of the prompt then.
 */
export const truncateFromRight = (text: string, maxTokens: number, window: Window): Fitted => {
  const { maxRequestLength, tokenizer } = window
  if (fits(text, maxTokens, window) || maxRequestLength === undefined || tokenizer === undefined)
    return { text, truncated: false }
  const points = Array.from(tokenizer.head(text, maxRequestLength - maxTokens))
  while (points.length > 0 && tokenizer.count(points.join('')) + maxTokens > maxRequestLength) points.pop()
  return { text: points.join(''), truncated: true }
}
