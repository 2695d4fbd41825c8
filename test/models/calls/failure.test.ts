import { expect, it } from 'vitest'
import {
  ClientError,
  isOutOfQuota,
  mayBeBilled,
  mayLast,
  refusedSetting,
} from '../../../models/calls/client.ts'

const failure = (code: string, options: { status?: number; cause?: unknown } = {}): ClientError =>
  new ClientError(code, 'no reply', { retriable: true, ...options })

it('takes an error status for unbilled', () => {
  expect(mayBeBilled(failure('http/500', { status: 500 }))).toBe(false)
})

it.each([408, 504, 524])(
  'takes a %i for possibly billed: it was taken, and not answered in time',
  (status) => {
    expect(mayBeBilled(failure(`http/${status}`, { status }))).toBe(true)
  },
)

it.each([
  [
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    'sampling',
  ],
  ["Unsupported value: 'temperature' does not support 0 with this model.", 'sampling'],
  ["Unsupported parameter: 'top_p' is not supported with this model.", 'sampling'],
  ['`temperature` is deprecated for this model.', 'sampling'],
  ['`temperature` and `top_p` cannot both be specified for this model. Please use only one.', 'top_p'],
  ['The temperature of the patient', undefined],
])('expects the others to meet “%s” where that is of a setting', (message, refused) => {
  const of = (status: number) =>
    new ClientError(`http/${status}`, `${status} ${message}`, { retriable: false, status })
  for (const error of [of(400), of(422)])
    expect([refusedSetting(error), mayLast(error)]).toEqual([refused, refused !== undefined])
  expect(refusedSetting(of(500))).toBeUndefined()
})

it('takes a request that reached nobody for unbilled, and all others to meet the same', () => {
  expect(mayBeBilled(failure('call/unreached'))).toBe(false)
  expect(mayLast(failure('call/unreached'))).toBe(true)
})

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

it('takes what a router says of servers behind it for possibly billed', () => {
  expect(mayBeBilled(failure('reply/error', { cause: { code: 'ECONNREFUSED' } }))).toBe(true)
})
