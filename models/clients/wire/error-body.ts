import { isMapping, parsedJson } from '../../../cache/values/json.ts'

/**
 * A server's error in OpenAI's form, the only one that the openai package reads. Google's comes in a list; vLLM's,
 * Mistral's, Databricks' and those of gateways lie bare; FastAPI's are a `detail`; proxies send a page.
 */
export const errorBody = (text: string): string => {
  const body = parsedJson(text)
  if (body === undefined) return titleOf(text) ?? text
  const told: unknown = Array.isArray(body) ? body[0] : body
  const isNamed = isMapping(told) && 'error' in told
  const error: unknown = isNamed ? told['error'] : told
  const words = toldWords(error)
  if (words === undefined && isNamed) return text
  const code = isMapping(error) ? error['code'] : undefined
  return JSON.stringify({ error: { message: words ?? text, code } })
}

/** What an error says in words; undefined where it has none. */
export const toldWords = (error: unknown): string | undefined => {
  if (!isMapping(error)) return wordsOf(error)
  const words = wordsOf(error['message']) ?? wordsOf(error['detail'])
  // OpenRouter's own words are always the same; these are the provider's behind it.
  const { metadata } = error
  const raw = isMapping(metadata) ? wordsOf(metadata['raw']) : undefined
  return raw === undefined || words === undefined ? (words ?? raw) : `${words}: ${raw}`
}

const wordsOf = (told: unknown): string | undefined => {
  if (typeof told === 'string') return told === '' ? undefined : told
  if (!Array.isArray(told)) return undefined
  // FastAPI names the place of each fault; what it says beside that repeats what was sent.
  const faults = (told as readonly unknown[]).flatMap((fault) => {
    if (!isMapping(fault) || typeof fault['msg'] !== 'string') return []
    return [Array.isArray(fault['loc']) ? `${fault['loc'].join('.')}: ${fault['msg']}` : fault['msg']]
  })
  return faults.length === 0 ? undefined : faults.join('; ')
}

const titleOf = (page: string): string | undefined => /<title[^>]*>\s*([^<]*[^<\s])/i.exec(page)?.[1]
