import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai'
import { describe, expect, test } from 'vitest'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { ClientError } from '../../../models/calls/client.ts'
import { callRemedy, clientErrorOf, unreached } from '../../../models/clients/call-error.ts'

const answered = (status: number, headers: Readonly<Record<string, string>> = {}, code?: string) =>
  clientErrorOf(APIError.generate(status, { error: { code } }, undefined, new Headers(headers)), OpenAI)

describe('What a server answers in place of a reply', () => {
  test('is told without signs that steer a terminal.', () => {
    const error = APIError.generate(400, { error: { message: 'a\u001b[2Jb' } }, undefined, new Headers())
    expect(clientErrorOf(error, OpenAI).message).not.toContain('\u001b')
  })

  test.each([
    [429, true],
    [408, true],
    [409, true],
    [500, true],
    [503, true],
    [400, false],
    [401, false],
    [404, false],
  ])('with %i is tried again: %s', (status, retriable) => {
    const error = answered(status)
    expect(error).toMatchObject({ code: `http/${status}`, status, retriable })
    expect(error.retryAfter).toBeUndefined()
  })

  test('is not tried again where no money is left.', () => {
    expect(answered(429, {}, 'insufficient_quota').retriable).toBe(false)
    expect(answered(429, {}, 'rate_limit_exceeded').retriable).toBe(true)
  })

  test('is not tried again where the request alone is more than a minute may have.', () => {
    const told = (message: string) =>
      clientErrorOf(APIError.generate(429, { error: { message } }, undefined, new Headers()), OpenAI)
        .retriable
    expect(told('Request too large for m on tokens per min (TPM): Limit 30000, Requested 45000.')).toBe(false)
    expect(told('Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 29000.')).toBe(true)
  })

  test('may be charged where a filter read it first.', () => {
    expect(answered(400, {}, 'content_filter').billed).toBe(true)
    expect(answered(400, {}, 'context_length_exceeded').billed).toBeUndefined()
  })

  test.each([
    [
      400,
      "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      '`reasoning: true`',
    ],
    [400, '`temperature` and `top_p` cannot both be specified for this model.', '`body: { top_p: null }`'],
    [400, 'no such model', 'check model'],
    [403, 'no', 'Check the key'],
    [404, 'no', 'Check base_url and model'],
    [429, 'slow down', 'Wait, or ask for a higher limit'],
    [500, 'oops', 'The fault is the server’s'],
  ])('%i with “%s” is to be mended by %s.', (status, message, remedy) => {
    const error = clientErrorOf(
      APIError.generate(status, { error: { message } }, undefined, new Headers()),
      OpenAI,
    )
    expect(callRemedy(error, { name: 'a/m', file: 'models/a.yaml' })).toContain(remedy)
  })

  test.each([
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '3' }, 250],
    [{ 'retry-after-ms': 'soon', 'retry-after': '3' }, 3000],
    [{ 'retry-after-ms': '', 'retry-after': '3' }, 3000],
    // What has passed is none: a wait below 0 would be no pause at all.
    [{ 'retry-after': '-1' }, 0],
    [{ 'retry-after-ms': '-250' }, 0],
    [{ 'retry-after': 'Thu, 01 Jan 2015 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    // By a clock that is years behind ours, and by one that tells nothing.
    [{ 'retry-after': 'Thu, 01 Jan 2015 00:00:05 GMT', date: 'Thu, 01 Jan 2015 00:00:00 GMT' }, 5000],
    [{ 'retry-after': 'Thu, 01 Jan 2015 00:00:05 GMT', date: 'soon' }, 0],
    [{ 'retry-after': '' }, undefined],
  ])('%j asks to wait %s ms', (headers, wait) => {
    expect(answered(429, headers).retryAfter).toBe(wait)
  })

  test('may name the date until which to wait.', () => {
    const wait = answered(503, { 'retry-after': new Date(Date.now() + 100_000).toUTCString() }).retryAfter
    // Dates tell whole seconds.
    expect(wait).toBeGreaterThan(90_000)
    expect(wait).toBeLessThanOrEqual(100_000)
  })
})

test('Without an answer it is a time-out, a lost connection, or ours to have given up.', () => {
  expect(clientErrorOf(new APIConnectionTimeoutError(), OpenAI)).toMatchObject({
    code: 'call/timeout',
    retriable: true,
  })
  expect(clientErrorOf(new APIUserAbortError(), OpenAI)).toMatchObject({
    code: 'call/aborted',
    retriable: false,
  })
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  expect(clientErrorOf(new APIConnectionError({ cause: refused }), OpenAI)).toMatchObject({
    code: 'call/connection',
    message: 'connect ECONNREFUSED',
    retriable: true,
  })
  // What fetch throws says nothing itself.
  const fetched = new TypeError('fetch failed', { cause: refused })
  expect(clientErrorOf(new APIConnectionError({ cause: fetched }), OpenAI).message).toBe(
    'connect ECONNREFUSED',
  )
  // A certificate's names are the server's words.
  const named = Object.assign(new Error('not for Ms Example'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  expect(clientErrorOf(new APIConnectionError({ cause: named }), OpenAI).message).toBe(
    'the connection failed (ERR_TLS_CERT_ALTNAME_INVALID)',
  )
  const own = new ClientError('client/odd', 'odd', { retriable: false })
  expect(clientErrorOf(new APIConnectionError({ cause: own }), OpenAI)).toBe(own)
})

test.each([
  ['Connect Timeout Error', 'UND_ERR_CONNECT_TIMEOUT', 'nobody takes connections at this address'],
  ['connect ETIMEDOUT 10.0.0.1:443', 'ETIMEDOUT', 'nobody takes connections at this address'],
  ['connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'],
])(
  '“%s” before a request was sent is no slow answer, though the package reads one from it.',
  async (words, code, told) => {
    const fetch = (): Promise<Response> =>
      Promise.reject(unreached(Object.assign(new Error(words), { code }), 'https://llm.example'))
    const api = new OpenAI({ apiKey: 'none', maxRetries: 0, fetch })
    const thrown = await api.post('/chat/completions', { body: {} }).catch((error: unknown) => error)
    expect(clientErrorOf(thrown, OpenAI)).toMatchObject({
      code: 'call/unreached',
      message: told,
      retriable: true,
    })
  },
)

test.each([
  ['reply/malformed', '/v1'],
  ['reply/client-form', 'ClientReply'],
])('What can’t be read (%s) is to be mended where it comes from.', (code, remedy) => {
  const error = new ClientError(code, 'no reply', { retriable: false })
  expect(callRemedy(error, { name: 'a/m', file: 'models/a.yaml' })).toContain(remedy)
})

test('A limit on address space is told as that, as nobody’s call, and with what to raise', () => {
  const words = 'WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance'
  const error = unreached(new RangeError(words), 'https://llm.example')
  expect(error).toMatchObject({ code: 'call/unreached', message: expect.stringContaining('address space') })
  expect(callRemedy(error, { name: 'a/m', file: 'models/a.yaml' })).toContain('ulimit -v')
  const other = unreached(new RangeError('Invalid array length'), 'https://llm.example')
  expect(callRemedy(other, { name: 'a/m', file: 'models/a.yaml' })).toContain('See that the server runs')
})

test('A proxy that can’t be used is told with what mends its setting, not the server’s', () => {
  const problem = { code: 'network/bad-proxy', message: 'it is none', remedy: 'Write another.' }
  const error = unreached(new ProblemError(problem), 'https://llm.example')
  expect(error).toMatchObject({ code: 'call/unreached', message: expect.stringContaining('it is none') })
  expect(callRemedy(error, { name: 'a/m', file: 'models/a.yaml' })).toBe('Write another.')
})
