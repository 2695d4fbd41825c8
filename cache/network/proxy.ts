import { BlockList, isIP } from 'node:net'
import { createRequire } from 'node:module'
import type * as undici from 'undici'
import { ProblemError } from '../problems/problem.ts'
import { underNodesFlags } from '../processes/engine-flags.ts'
import { percentDecoded } from './percent-decoded.ts'

/** A proxy as the environment names it. */
interface Proxy {
  /** Without name and password. */
  readonly url: string
  /** Host and port, for people. */
  readonly address: string
  /** What names it, such as HTTPS_PROXY. */
  readonly variable: string
  /** `Basic …`, where its URL holds a name. */
  readonly token?: string
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** True for a host on this machine, which no proxy stands before. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)

/**
 * The proxy that requests to a URL go through; undefined: straight. As curl, pip and npm read it: HTTPS_PROXY or
 * HTTP_PROXY by the URL's scheme, else ALL_PROXY, small letters first, but for hosts of NO_PROXY and of this machine.
 * @throws ProblemError `network/bad-proxy`
 */
export const proxyOf = (url: string, env: NodeJS.ProcessEnv = process.env): Proxy | undefined => {
  const { protocol, hostname, port } = new URL(url)
  const isEncrypted = protocol === 'https:'
  const named = firstOf(env, isEncrypted ? 'https_proxy' : 'http_proxy', 'all_proxy')
  if (named === undefined || isLoopback(hostname)) return undefined
  const exceptions = firstOf(env, 'no_proxy')?.value ?? ''
  if (isExcepted(hostname, Number(port) || (isEncrypted ? 443 : 80), exceptions)) return undefined
  return readProxy(named)
}

/**
 * The proxy that a request passes. What is encrypted passes it as a tunnel (CONNECT), at whose end the host itself shows its
 * certificate. What is not goes straight, as a proxy could read it, which no agreement names.
 * @param isPublic for what holds nobody's text, such as downloads: it passes a proxy in any case
 * @throws ProblemError `network/bad-proxy`
 */
export const passedProxy = (url: string, isPublic: boolean): Proxy | undefined =>
  isPublic || new URL(url).protocol === 'https:' ? proxyOf(url) : undefined

/** Whether the environment names any. */
export const namesProxy = (env: NodeJS.ProcessEnv = process.env): boolean =>
  firstOf(env, 'https_proxy', 'http_proxy', 'all_proxy') !== undefined

interface Named {
  readonly variable: string
  readonly value: string
}

const firstOf = (env: NodeJS.ProcessEnv, ...names: readonly string[]): Named | undefined => {
  for (const variable of names.flatMap((small) => [small, small.toUpperCase()])) {
    const value = env[variable]?.trim() ?? ''
    if (value !== '') return { variable, value }
  }
  return undefined
}

/** Of its value nothing is told: it may hold a password. */
const readProxy = ({ variable, value }: Named): Proxy => {
  const text = value.includes('://') ? value : `http://${value}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new ProblemError({
      code: 'network/bad-proxy',
      message: `${variable} names no http or https proxy${/^socks/i.test(text) ? ', but one of SOCKS, which is not spoken here' : ''}`,
      remedy: `Write HTTPS_PROXY=http://HOST:PORT, or http://NAME:PASSWORD@HOST:PORT, which goes before ALL_PROXY; NO_PROXY lists hosts that need none, * all. Before a SOCKS proxy alone a bridge such as Privoxy helps.`,
    })
  const pair = [url.username, url.password].map(decoded).join(':')
  return {
    url: url.origin,
    address: url.host,
    variable,
    ...(url.username === '' ? {} : { token: `Basic ${Buffer.from(pair).toString('base64')}` }),
  }
}

/** A lone % stands for itself. */
const decoded = (text: string): string => percentDecoded(text) ?? text

/** Entries are names with all below them, addresses, networks such as 10.0.0.0/8, each with or without a port, or `*`. */
const isExcepted = (hostname: string, port: number, exceptions: string): boolean => {
  const host = bare(hostname)
  return exceptions.split(/[\s,]+/).some((entry) => {
    if (entry === '' || entry === '*') return entry === '*'
    const [, name = entry, only] = /^(.*[^:]):(\d+)$/.exec(entry) ?? []
    // What has colons of its own is an address of IPv6.
    const isPort = only !== undefined && (!name.includes(':') || name.endsWith(']'))
    if (isPort && Number(only) !== port) return false
    const rule = bare(isPort ? name : entry)
    return rule === host || host.endsWith(`.${rule}`) || isWithin(host, rule)
  })
}

const bare = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^\*?\./, '')
    .replaceAll(/^\[|\]$/g, '')

const isWithin = (host: string, rule: string): boolean => {
  const [network = '', bits = ''] = rule.split('/')
  const family = isIP(network)
  if (
    family === 0 ||
    family !== isIP(host) ||
    !/^\d{1,3}$/.test(bits) ||
    Number(bits) > (family === 4 ? 32 : 128)
  )
    return false
  const list = new BlockList()
  list.addSubnet(network, Number(bits), family === 4 ? 'ipv4' : 'ipv6')
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

const require = createRequire(import.meta.url)

/** Of the package only what sends: with WebSockets, caches and fetch it takes three times as long to load. */
const loadAgent = (): typeof undici.Agent =>
  underNodesFlags(() => require('undici/lib/dispatcher/agent.js') as typeof undici.Agent)

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
