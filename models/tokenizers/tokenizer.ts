/** Counts and cuts text as a deployment's tokenizer does (helm-core.md §3.5). */
export interface Tokenizer {
  count(text: string): number
  /** The text of the first `limit` tokens, decoded as HELM decodes it. */
  head(text: string, limit: number): string
  /** Texts of the tokens, each decoded by itself as HELM does; undefined for text that the original refuses. */
  tokens(text: string): readonly string[] | undefined
}

/** Tokenizers that are at hand offline. */
const LOADERS: ReadonlyMap<string, () => Promise<Tokenizer>> = new Map<string, () => Promise<Tokenizer>>([
  ['openai/cl100k_base', async () => (await import('./openai.ts')).openAiTokenizer('cl100k_base')],
  ['openai/o200k_base', async () => (await import('./openai.ts')).openAiTokenizer('o200k_base')],
  ['simple/tokenizer1', () => Promise.resolve(CODE_POINTS)],
])

/** True where `loadTokenizer` would give one; opens no vocabulary. */
export const hasTokenizer = (name: string): boolean => LOADERS.has(name)

export const loadTokenizer = async (name: string): Promise<Tokenizer | undefined> => LOADERS.get(name)?.()

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
