import type { Tokenizer } from './tokenizer.ts'

/** Texts that tiktoken refuses to encode: both vocabularies' special tokens. */
const SPECIAL = /<\|(?:endoftext|fim_prefix|fim_middle|fim_suffix|endofprompt)\|>/

/**
 * tiktoken's vocabularies. Text that looks like a special token is plain text here; tiktoken refuses it and HELM loses
 * the run.
 */
export const openAiTokenizer = async (name: 'cl100k_base' | 'o200k_base'): Promise<Tokenizer> => {
  // Loaded late: reading a vocabulary costs start-up time.
  const { tiktoken } = await import('../../cache/tokens/tiktoken.ts')
  const exact = tiktoken(name)
  return { ...exact, tokens: (text) => (SPECIAL.test(text) ? undefined : exact.tokens(text)) }
}
