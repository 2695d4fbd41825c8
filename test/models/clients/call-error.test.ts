import { describe, expect, test } from 'vitest'
import { ClientError } from '../../../models/calls/client.ts'
import { clientErrorOf, refusedBy, unreached } from '../../../models/clients/call-error.ts'

const answered = (status: number, headers: Readonly<Record<string, string>> = {}, code?: string) =>
  refused(status, JSON.stringify({ error: { code } }), headers)

const refused = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) =>
  refusedBy({ status, headers: new Map(Object.entries(headers)), text })

describe('What a server answers in place of a reply', () => {
  test('is told without signs that steer a terminal.', () => {
    const error = refused(400, '{"error":{"message":"a\\u001b[2Jb"}}')
    expect(error.message).toBe(String.raw`400 a\u001b[2Jb`)
  })

  test.each([
    ['{"error":{"message":"no such model","code":"model_not_found"}}', '404 no such model'],
    ['{"error":{"message":["no","model"]}}', '404 ["no","model"]'],
    ['{"error":"no model"}', '404 "no model"'],
    ['{"error":{"type":"odd"}}', '404 {"type":"odd"}'],
    ['{"error":{"message":""}}', '404 {"message":""}'],
    ['{"error":null}', '404 status code (no body)'],
    ['[]', '404 status code (no body)'],
    ['null', '404 null'],
    ['<h1>Not found</h1>', '404 <h1>Not found</h1>'],
    ['', '404 status code (no body)'],
  ])('as %s is told in its own words', (text, message) => {
    expect(refused(404, text)).toMatchObject({ code: 'http/404', message, retriable: false })
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

test('Without an answer it is a time-out or a lost connection, or what we gave it up for.', () => {
  const coded = (words: string, code: string): Error => Object.assign(new Error(words), { code })
  for (const slow of [
    coded('read ETIMEDOUT', 'ETIMEDOUT'),
    new TypeError('x', { cause: new Error('timed out') }),
  ])
    expect(clientErrorOf(slow)).toMatchObject({ code: 'call/timeout', retriable: true })
  const refused = coded('connect ECONNREFUSED', 'ECONNREFUSED')
  expect(clientErrorOf(refused)).toMatchObject({
    code: 'call/connection',
    message: 'connect ECONNREFUSED',
    retriable: true,
  })
  // What fetch throws says nothing itself.
  expect(clientErrorOf(new TypeError('fetch failed', { cause: refused })).message).toBe(
    'connect ECONNREFUSED',
  )
  // A certificate's names are the server's words.
  const named = coded('not for Ms Example', 'ERR_TLS_CERT_ALTNAME_INVALID')
  expect(clientErrorOf(named).message).toBe('the connection failed (ERR_TLS_CERT_ALTNAME_INVALID)')
  const own = new ClientError('client/odd', 'odd', { retriable: false })
  expect(clientErrorOf(own)).toBe(own)
})

test.each([
  ['Connect Timeout Error', 'UND_ERR_CONNECT_TIMEOUT', 'nobody takes connections at this address'],
  ['connect ETIMEDOUT 10.0.0.1:443', 'ETIMEDOUT', 'nobody takes connections at this address'],
  ['connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'],
])('“%s” before a request was sent is no slow answer.', (words, code, told) => {
  const error = unreached(Object.assign(new Error(words), { code }), 'https://llm.example')
  expect(clientErrorOf(error)).toMatchObject({ code: 'call/unreached', message: told, retriable: true })
})
