import type { Tokenizer } from './tokenizer.ts'

/**
 * tiktoken's vocabularies through gpt-tokenizer. Text that looks like a special token is plain text here;
 * tiktoken refuses it and HELM loses the run.
 */
export const openAiTokenizer = async (name: 'cl100k_base' | 'o200k_base'): Promise<Tokenizer> => {
  const encoding =
    name === 'cl100k_base'
      ? await import('gpt-tokenizer/encoding/cl100k_base')
      : await import('gpt-tokenizer/encoding/o200k_base')
  const options = { disallowedSpecial: new Set<string>() }
  return {
    count: (text) => encoding.countTokens(text, options),
    head: (text, limit) => encoding.decode(encoding.encode(text, options).slice(0, Math.max(0, limit))),
  }
}
