import { createRequire } from 'node:module'
import type * as undici from 'undici'
import { namesProxy, passedProxy } from './proxy.ts'

const require = createRequire(import.meta.url)

/** Of the package only what sends: with WebSockets, caches and fetch it takes three times as long to load. */
const loadAgent = (): typeof undici.Agent => require('undici/lib/dispatcher/agent.js') as typeof undici.Agent

/** Proxies need methods that only the whole gives its parts. */
const loadWhole = (): typeof undici => require('undici') as typeof undici

/** Milliseconds in which a proxy says whether it lets a request pass. */
const PROXY_TIMEOUT = 30_000

/**
 * What sends requests: straight, or through the proxy that the environment names.
 * @param isPublic see `passedProxy`
 */
export const createAgent = (options: undici.Agent.Options = {}, isPublic = false): undici.Agent => {
  const Agent = loadAgent()
  return new Agent(namesProxy() ? { ...options, factory: placer(isPublic) } : options)
}

const placer =
  (isPublic: boolean) =>
  (origin: string | URL, options: object): undici.Dispatcher => {
    const { Pool, ProxyAgent } = loadWhole()
    const proxy = passedProxy(String(origin), isPublic)
    if (proxy === undefined) return new Pool(origin, options)
    return new ProxyAgent({
      ...options,
      uri: proxy.url,
      ...(proxy.token === undefined ? {} : { token: proxy.token }),
      // Many proxies open tunnels to port 443 alone.
      proxyTunnel: false,
      clientFactory: (uri, settings) => new Pool(uri, { ...settings, headersTimeout: PROXY_TIMEOUT }),
    })
  }

/** From here on Node's fetch takes the environment's proxy, too; Node 20 knows none. Once a process. */
export const useProxyEverywhere = (): void => {
  if (isUsed || !namesProxy()) return
  isUsed = true
  loadWhole().setGlobalDispatcher(createAgent())
}

let isUsed = false
