import { CallError, defineClient } from 'medmake'

// For a server that takes a prompt and gives a text: POST {base_url}/generate, {"text", "limit"} in, {"answer"} out.
// A deployment names it as class `workspace.clients.plain_text`.
export const client = defineClient({
  complete: async ({ messages, maxTokens, n }, { baseUrl, apiKey }, signal) => {
    const text = messages.map(({ content }) => content).join('\n\n')
    const response = await fetch(`${baseUrl}/generate`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey === undefined ? {} : { authorization: apiKey }),
      },
      body: JSON.stringify({ text, limit: maxTokens }),
      signal,
    })
    const { status } = response
    if (!response.ok)
      throw new CallError(`the server answered ${status}`, {
        retriable: status === 429 || status >= 500,
        status,
      })
    const { answer } = (await response.json()) as { answer: string }
    return { choices: Array.from({ length: n }, () => ({ text: answer })) }
  },
})
