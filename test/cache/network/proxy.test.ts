import { expect, it, vi } from 'vitest'
import { namesProxy, proxyOf } from '../../../cache/network/proxy.ts'
import { connectionWords, staysRefused } from '../../../cache/network/connection-words.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'

const PROXY = 'http://proxy.corp:3128'
const addressOf = (url: string, env: Record<string, string>): string | undefined => proxyOf(url, env)?.address

it.each([
  ['https by HTTPS_PROXY', 'https://a.example/v1', { HTTPS_PROXY: PROXY }, 'proxy.corp:3128'],
  ['https not by HTTP_PROXY', 'https://a.example', { HTTP_PROXY: PROXY }, undefined],
  [
    'http by HTTP_PROXY',
    'http://a.example',
    { HTTP_PROXY: PROXY, HTTPS_PROXY: 'http://b:1' },
    'proxy.corp:3128',
  ],
  ['small letters first', 'https://a.example', { https_proxy: 'http://b:1', HTTPS_PROXY: PROXY }, 'b:1'],
  ['an empty one is none', 'https://a.example', { https_proxy: '', HTTPS_PROXY: ' ' }, undefined],
  ['https by ALL_PROXY', 'https://a.example', { ALL_PROXY: PROXY }, 'proxy.corp:3128'],
  ['http by ALL_PROXY', 'http://a.example', { ALL_PROXY: PROXY }, 'proxy.corp:3128'],
  [
    'ALL_PROXY where no other is named',
    'https://a.example',
    { all_proxy: 'socks5://b:1', HTTPS_PROXY: PROXY },
    'proxy.corp:3128',
  ],
  ['without a scheme', 'https://a.example', { HTTPS_PROXY: 'proxy.corp:3128' }, 'proxy.corp:3128'],
  ['this machine never', 'https://localhost:8443', { HTTPS_PROXY: PROXY }, undefined],
  ['this machine by its address never', 'http://[::1]:80', { HTTP_PROXY: PROXY }, undefined],
] as const)('%s', (_, url, env, expected) => expect(addressOf(url, env)).toBe(expected))

it.each([
  ['llm.corp', 'https://llm.corp', true],
  ['llm.corp', 'https://a.llm.corp', true],
  ['llm.corp', 'https://notllm.corp', false],
  ['.llm.corp', 'https://llm.corp', true],
  ['*.llm.corp', 'https://a.llm.corp', true],
  ['LLM.corp', 'https://llm.CORP', true],
  ['x, llm.corp', 'https://llm.corp', true],
  ['llm.corp:8443', 'https://llm.corp', false],
  ['llm.corp:443', 'https://llm.corp', true],
  ['10.0.0.0/8', 'https://10.9.8.7', true],
  ['10.0.0.0/8', 'https://11.9.8.7', false],
  ['10.0.0.0/99', 'https://10.9.8.7', false],
  ['fd00::/8', 'https://[fd00::1]', true],
  ['fd00::1', 'https://[fd00::1]', true],
  ['[fd00::1]:443', 'https://[fd00::1]', true],
  ['*', 'https://llm.corp', true],
  ['', 'https://llm.corp', false],
])('NO_PROXY=%s lets %s go straight: %s', (NO_PROXY, url, isStraight) =>
  expect(proxyOf(url, { HTTPS_PROXY: PROXY, NO_PROXY }) === undefined).toBe(isStraight),
)

it('keeps name and password apart from the address', () => {
  expect(proxyOf('https://a.example', { HTTPS_PROXY: 'http://ann:p%40ss%@proxy.corp:3128' })).toEqual({
    url: PROXY,
    address: 'proxy.corp:3128',
    variable: 'HTTPS_PROXY',
    token: `Basic ${Buffer.from('ann:p%40ss%').toString('base64')}`,
  })
  expect(proxyOf('https://a.example', { HTTPS_PROXY: 'http://ann:p%40ss@proxy.corp' })?.token).toBe(
    `Basic ${Buffer.from('ann:p@ss').toString('base64')}`,
  )
})

it.each([
  ['HTTPS_PROXY', 'socks5://ann:secret@proxy.corp:1080', ', but one of SOCKS, which is not spoken here'],
  ['all_proxy', 'socks5h://ann:secret@proxy.corp:1080', ', but one of SOCKS, which is not spoken here'],
  ['HTTPS_PROXY', 'http://ann:secret@:::', ''],
])('refuses in %s %s, whose words it does not repeat', (variable, value, more) => {
  const read = (): unknown => proxyOf('https://a.example', { [variable]: value })
  expect(read).toThrow(ProblemError)
  expect(read).toThrow(new RegExp(`network/bad-proxy: ${variable} names no http or https proxy${more}$`))
  expect(namesProxy({ [variable]: value })).toBe(true)
})

it.each([
  [
    new Error('x', { cause: new Error('Proxy response (407) !== 200 when HTTP Tunneling') }),
    /name and a password \(407\)/,
    true,
  ],
  [new Error('Proxy response (403) !== 200 when HTTP Tunneling'), /nothing pass to this host \(403\)/, true],
  [new Error('Proxy response (502) !== 200 when HTTP Tunneling'), /nothing pass to this host \(502\)/, false],
  [
    Object.assign(new Error('x'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }),
    /NODE_EXTRA_CA_CERTS.*; Node reads SSL_CERT_FILE with NODE_OPTIONS=--use-openssl-ca alone/,
    true,
  ],
  [new Error('reset'), /^$/, false],
])('tells why a connection came to nothing, and whether it would again', (error, words, stays) => {
  vi.stubEnv('SSL_CERT_FILE', '/etc/ca.pem')
  expect(connectionWords(error, '', { url: 'https://a.example', isPublic: false })).toMatch(words)
  expect(staysRefused(error)).toBe(stays)
  vi.unstubAllEnvs()
})

it.each([
  ['https://a.example', false, ', by way of the proxy proxy.corp:3128 of HTTPS_PROXY'],
  ['http://a.example', true, ', by way of the proxy plain.corp:3128 of HTTP_PROXY'],
  ['http://a.example', false, ''],
])(
  'names the proxy that a request to %s passes, where what it fetches is public: %s',
  (url, isPublic, by) => {
    vi.stubEnv('https_proxy', '')
    vi.stubEnv('http_proxy', '')
    vi.stubEnv('no_proxy', '')
    vi.stubEnv('NO_PROXY', '')
    vi.stubEnv('HTTPS_PROXY', PROXY)
    vi.stubEnv('HTTP_PROXY', 'http://plain.corp:3128')
    expect(connectionWords(new Error('reset'), 'reset', { url, isPublic })).toBe(`reset${by}`)
    vi.unstubAllEnvs()
  },
)
