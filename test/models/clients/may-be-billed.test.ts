import { expect, it } from 'vitest'
import { ClientError } from '../../../models/calls/client.ts'
import { isOutOfQuota, mayLast } from '../../../models/clients/lasting-failure.ts'
import { mayBeBilled } from '../../../models/clients/may-be-billed.ts'

const failure = (code: string, options: { status?: number; cause?: unknown } = {}): ClientError =>
  new ClientError(code, 'no reply', { retriable: true, ...options })

it('takes an error status for unbilled', () => {
  expect(mayBeBilled(failure('http/500', { status: 500 }))).toBe(false)
})

const withCause = (code: string): ClientError => {
  const cause = Object.assign(new Error('connect'), { code })
  return failure('call/connection', { cause: new TypeError('fetch failed', { cause }) })
}

it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])(
  'takes a request that reached nobody (%s) for unbilled, and all others to meet the same',
  (code) => {
    expect(mayBeBilled(withCause(code))).toBe(false)
    expect(mayLast(withCause(code))).toBe(true)
  },
)

it.each([401, 402, 403, 404])('expects the others to meet a %i, too', (status) => {
  expect(mayLast(failure(`http/${status}`, { status }))).toBe(true)
  expect(isOutOfQuota(failure(`http/${status}`, { status }))).toBe(status === 402)
})

it.each([
  ['insufficient_quota', true],
  ['billing_hard_limit_reached', true],
  ['rate_limit_exceeded', false],
])('takes %s for an account without money: %s', (code, isOut) => {
  const error = failure('http/429', { status: 429, cause: Object.assign(new Error('no'), { code }) })
  expect([isOutOfQuota(error), mayLast(error)]).toEqual([isOut, isOut])
})

it.each(['call/timeout', 'call/aborted', 'reply/malformed'])('takes %s for possibly billed', (code) => {
  expect(mayBeBilled(failure(code))).toBe(true)
})

it('takes a connection that broke under way for possibly billed', () => {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
  expect(mayBeBilled(failure('call/connection', { cause }))).toBe(true)
})
