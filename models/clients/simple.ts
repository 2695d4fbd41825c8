import { aborted, ClientError, textOf, type Client } from '../calls/client.ts'

/** Python's str.split() also splits at five control characters, and not at U+FEFF. */
const PYTHON_ONLY_SPACE = '\u001C\u001D\u001E\u001F\u0085'

const pythonWords = (text: string): readonly string[] => {
  const spaced = Array.from(text, (char) => (PYTHON_ONLY_SPACE.includes(char) ? ' ' : char)).join('')
  return spaced.match(/[\S\uFEFF]+/g) ?? []
}

/**
 * HELM's SimpleClient (HELM.md M6): the i-th completion is the prompt's i-th word from the end, going round
 * again when they run out. Every completion is one token of log probability 0 and has no finish reason.
 * Limits and stop sequences are ignored, as there.
 *
 * @throws ClientError `simple/empty-prompt` from `complete` for a prompt without a word
 */
export const createSimpleClient = (): Client => ({
  local: true,
  complete: async (request, signal) => {
    if (signal.aborted) throw aborted()
    const prompt = textOf(request.messages)
    const words = pythonWords(prompt)
    if (words.length === 0)
      throw new ClientError(
        'simple/empty-prompt',
        'the simple model repeats words of the prompt, which has none',
        { retriable: false },
      )
    const choices = Array.from({ length: request.n }, (_, index) => {
      const text = words.at(-1 - (index % words.length)) ?? ''
      return { text, finishReason: null, tokens: [{ text, logprob: 0 }] }
    })
    return { choices, usage: { inputTokens: words.length, outputTokens: request.n }, model: 'simple/model1' }
  },
})
