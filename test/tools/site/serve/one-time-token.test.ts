import { expect, test } from 'vitest'
import { createOneTimeToken } from '../../../../tools/site/serve/one-time-token.ts'

test('A token or a cookie of as many letters but more bytes lets nobody in, and is no fault of the server', () => {
  const token = createOneTimeToken()
  const other = 'é'.repeat(64)
  expect(token.admit({ url: `/?token=${encodeURIComponent(other)}`, headers: {} })).toEqual({ kind: 'out' })
  expect(token.admit({ url: '/', headers: { cookie: `medmake=${other}` } })).toEqual({ kind: 'out' })
  expect(token.admit({ url: `/${token.query}`, headers: {} }).kind).toBe('welcome')
})
