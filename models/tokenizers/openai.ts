import type { Tokenizer } from './tokenizer.ts'

/** Texts that tiktoken refuses to encode. */
const SPECIAL = {
  cl100k_base: /<\|(?:endoftext|fim_prefix|fim_middle|fim_suffix|endofprompt)\|>/,
  o200k_base: /<\|(?:endoftext|endofprompt)\|>/,
} as const

/**
 * tiktoken's vocabularies. Text that looks like a special token is plain text where it is counted or cut; tiktoken
 * refuses it and HELM loses the run, and so `tokens` gives none.
 */
export const openAiTokenizer = async (name: 'cl100k_base' | 'o200k_base'): Promise<Tokenizer> => {
  // Loaded late: reading a vocabulary costs start-up time.
  const { tiktoken } = await import('../../cache/tokens/tiktoken.ts')
  const exact = tiktoken(name)
  return {
    ...exact,
    faithful: true,
    tokens: (text) => (SPECIAL[name].test(text) ? undefined : exact.tokens(text)),
  }
}
