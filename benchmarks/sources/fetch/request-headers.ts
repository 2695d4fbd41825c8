/** Hosts that take the Hub's token; a redirect to another host goes without it. */
const HUB = 'huggingface.co'

/**
 * Headers of a download. GitHub refuses requests that name no client; the Hub wants a token for gated data sets, taken
 * from HF_TOKEN; nobody is to pack a file on the way, for its digest is of the bytes as published.
 */
export const requestHeaders = (
  url: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<Record<string, string>> => {
  const { hostname, protocol } = new URL(url)
  const token = env['HF_TOKEN'] ?? ''
  return {
    'user-agent': 'medmake',
    'accept-encoding': 'identity',
    ...(hostname === HUB && protocol === 'https:' && token !== ''
      ? { authorization: `Bearer ${token}` }
      : {}),
  }
}

/** What may help where a server refuses, e.g. a token. */
export const refusalRemedy = (url: string, status: number): string | undefined => {
  if (status !== 401 && status !== 403) return undefined
  if (new URL(url).hostname === HUB)
    return "Set HF_TOKEN to a token of an account that accepted the data set's terms on huggingface.co."
  return new URL(url).hostname === 'api.github.com'
    ? 'GitHub answers a limited number of requests an hour from one address: try again later.'
    : undefined
}
