import type { TokenizerFiles } from './find-tokenizer.ts'

/** Counts and cuts text as a deployment's tokenizer does (HELM.md M3). */
export interface Tokenizer {
  count(text: string): number
  /** The text of the first `limit` tokens, decoded as HELM decodes it. */
  head(text: string, limit: number): string
  /** Texts of the tokens, each decoded by itself as HELM does; undefined for text that the original refuses. */
  tokens(text: string): readonly string[] | undefined
  /** True where decoding all tokens gives the text itself, and a text has no more tokens than bytes. */
  readonly faithful: boolean
}

/** What of a deployment names its tokenizer. */
export interface TokenizerOf {
  readonly tokenizerName?: string
  /** Files of a tokenizer that is not built in. */
  readonly tokenizerFiles?: TokenizerFiles
}

const BUILT_IN: ReadonlyMap<string, () => Promise<Tokenizer>> = new Map<string, () => Promise<Tokenizer>>([
  ['openai/cl100k_base', () => openAiTokenizer('cl100k_base')],
  ['openai/o200k_base', () => openAiTokenizer('o200k_base')],
  ['simple/tokenizer1', () => Promise.resolve(CODE_POINTS)],
])

export const isBuiltIn = (name: string): boolean => BUILT_IN.has(name)

/** True where `loadTokenizer` would give one; opens no vocabulary. */
export const hasTokenizer = ({ tokenizerName, tokenizerFiles }: TokenizerOf): boolean =>
  tokenizerName !== undefined && (isBuiltIn(tokenizerName) || tokenizerFiles !== undefined)

/**
 * The tokenizer of a deployment; undefined where it names none or one that is not at hand.
 * @throws ProblemError `models/tokenizer` for files that can't be used
 */
export const loadTokenizer = async ({
  tokenizerName,
  tokenizerFiles,
}: TokenizerOf): Promise<Tokenizer | undefined> => {
  if (tokenizerName === undefined) return undefined
  const builtIn = BUILT_IN.get(tokenizerName)
  if (builtIn !== undefined || tokenizerFiles === undefined) return builtIn?.()
  const { fromHuggingFace } = await import('./from-hugging-face.ts')
  return fromHuggingFace(tokenizerName, tokenizerFiles.folder)
}

/** HELM's SimpleTokenizer: one token a code point. */
const CODE_POINTS: Tokenizer = {
  faithful: true,
  count: (text) => {
    let count = 0
    for (const _ of text) count += 1
    return count
  },
  head: (text, limit) => Array.from(text).slice(0, Math.max(0, limit)).join(''),
  tokens: (text) => Array.from(text),
}

/** Texts that tiktoken refuses to encode. */
const SPECIAL = {
  cl100k_base: /<\|(?:endoftext|fim_prefix|fim_middle|fim_suffix|endofprompt)\|>/,
  o200k_base: /<\|(?:endoftext|endofprompt)\|>/,
} as const

/**
 * tiktoken's vocabularies. Text that looks like a special token is plain text where it is counted or cut; tiktoken
 * refuses it and HELM loses the run, and so `tokens` gives none.
 */
const openAiTokenizer = async (name: 'cl100k_base' | 'o200k_base'): Promise<Tokenizer> => {
  // Loaded late: reading a vocabulary costs start-up time.
  const { tiktoken } = await import('../../cache/tokens/tiktoken.ts')
  const exact = tiktoken(name)
  return {
    ...exact,
    faithful: true,
    tokens: (text) => (SPECIAL[name].test(text) ? undefined : exact.tokens(text)),
  }
}
