import { expect, it } from 'vitest'
import { ClientError } from '../../../models/calls/client.ts'
import { mayBeBilled } from '../../../models/clients/may-be-billed.ts'

const failure = (code: string, options: { status?: number; cause?: unknown } = {}): ClientError =>
  new ClientError(code, 'no reply', { retriable: true, ...options })

it('takes an error status for unbilled', () => {
  expect(mayBeBilled(failure('http/500', { status: 500 }))).toBe(false)
})

it('takes a request that reached nobody for unbilled', () => {
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  expect(mayBeBilled(failure('call/connection', { cause: new TypeError('fetch failed', { cause }) }))).toBe(
    false,
  )
})

it.each(['call/timeout', 'call/aborted', 'reply/malformed'])('takes %s for possibly billed', (code) => {
  expect(mayBeBilled(failure(code))).toBe(true)
})

it('takes a connection that broke under way for possibly billed', () => {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
  expect(mayBeBilled(failure('call/connection', { cause }))).toBe(true)
})
