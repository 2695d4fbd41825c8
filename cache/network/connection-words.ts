import { ProblemError } from '../problems/problem.ts'
import { passedProxy } from './proxy.ts'

/**
 * Why a connection to a URL came to nothing, where the network's own words leave one guessing: a proxy's refusal, or a
 * certificate that this machine does not trust; by which proxy it was tried. `words` for anything else.
 */
export const connectionWords = (
  error: unknown,
  words: string,
  to?: { readonly url: string; readonly isPublic: boolean },
): string =>
  error instanceof ProblemError
    ? error.problems.map(({ message }) => message).join('; ')
    : `${refusalOf(error)?.words ?? words}${to === undefined ? '' : byProxy(to.url, to.isPublic)}`

/** Whether it comes to nothing however often it is tried: a proxy's no, a certificate that nobody trusts. */
export const staysRefused = (error: unknown): boolean =>
  error instanceof ProblemError || refusalOf(error)?.stays === true

interface Refusal {
  readonly words: string
  readonly stays: boolean
}

const refusalOf = (error: unknown): Refusal | undefined => {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    const status = /^Proxy response \((\d{3})\)/.exec(current.message)?.[1]
    if (status === '407')
      return {
        words: 'the proxy wants a name and a password (407): http://NAME:PASSWORD@HOST:PORT',
        stays: true,
      }
    if (status !== undefined)
      return {
        words: `the proxy lets nothing pass to this host (${status})`,
        stays: status.startsWith('4') && status !== '429',
      }
    if ('code' in current && UNTRUSTED.has(current.code))
      return {
        words: `its certificate is signed by nobody whom Node trusts (${String(current.code)}); where your network signs for others, NODE_EXTRA_CA_CERTS names a file of its certificates${unreadVariable()}`,
        stays: true,
      }
  }
  return undefined
}

/** Where other programs look for certificates. */
const unreadVariable = (): string => {
  const name = ['SSL_CERT_FILE', 'SSL_CERT_DIR'].find((variable) => (process.env[variable] ?? '') !== '')
  return name === undefined ? '' : `; Node reads ${name} with NODE_OPTIONS=--use-openssl-ca alone`
}

const UNTRUSTED: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

const byProxy = (url: string, isPublic: boolean): string => {
  const proxy = passedProxy(url, isPublic)
  return proxy === undefined ? '' : `, by way of the proxy ${proxy.address} of ${proxy.variable}`
}
