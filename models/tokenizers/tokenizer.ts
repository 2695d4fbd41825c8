/** Counts and cuts text as a deployment's tokenizer does (helm-core.md §3.5). */
export interface Tokenizer {
  count(text: string): number
  /** The text of the first `limit` tokens, decoded as HELM decodes it. */
  head(text: string, limit: number): string
  /** Texts of the tokens, each decoded by itself as HELM does; undefined for text that the original refuses. */
  tokens(text: string): readonly string[] | undefined
}

/** A tokenizer that is at hand offline, or undefined. */
export const loadTokenizer = async (name: string): Promise<Tokenizer | undefined> => {
  switch (name) {
    case 'openai/cl100k_base':
      return (await import('./openai.ts')).openAiTokenizer('cl100k_base')
    case 'openai/o200k_base':
      return (await import('./openai.ts')).openAiTokenizer('o200k_base')
    case 'simple/tokenizer1':
      return CODE_POINTS
    default:
      return undefined
  }
}

/** HELM's SimpleTokenizer: one token a code point. */
const CODE_POINTS: Tokenizer = {
  count: (text) => {
    let count = 0
    for (const _ of text) count += 1
    return count
  },
  head: (text, limit) => Array.from(text).slice(0, Math.max(0, limit)).join(''),
  tokens: (text) => Array.from(text),
}
