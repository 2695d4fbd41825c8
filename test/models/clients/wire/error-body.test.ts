import { expect, it } from 'vitest'
import { errorBody } from '../../../../models/clients/wire/error-body.ts'

const told = (text: string): unknown => {
  const { error } = JSON.parse(errorBody(text)) as { readonly error: { readonly message?: unknown } }
  return error.message
}

it.each([
  ['OpenAI', { error: { message: 'no', code: 'a' } }],
  ['Google', [{ error: { code: 400, message: 'no', status: 'INVALID_ARGUMENT' } }]],
  ['vLLM of before', { object: 'error', message: 'no', code: 400 }],
  ['Databricks', { error_code: 'BAD_REQUEST', message: 'no' }],
  ['TGI', { error: 'no', error_type: 'validation' }],
  ['FastAPI', { detail: 'no' }],
])('finds the words of %s', (_, body) => {
  expect(told(JSON.stringify(body))).toBe('no')
})

it('tells the faults that FastAPI found, without what was sent', () => {
  const fault = { loc: ['body', 'n'], msg: 'must be 1', input: 'Ms Example has a cough' }
  expect(told(JSON.stringify({ detail: [fault, 'odd', null, { msg: 5 }, { msg: 'and so on' }] }))).toBe(
    'body.n: must be 1; and so on',
  )
})

it('adds what the provider behind a router said', () => {
  const error = { code: 400, message: 'Provider returned error', metadata: { raw: 'too long' } }
  expect(told(JSON.stringify({ error }))).toBe('Provider returned error: too long')
})

it('keeps the code by which an empty account is known', () => {
  expect(errorBody('{"error":{"message":"no","code":"insufficient_quota"}}')).toContain('insufficient_quota')
})

it('leaves of a page its title, and other text and JSON without words as it is', () => {
  expect(errorBody('<html><head><title>\n504 Gateway Time-out </title></head></html>')).toBe(
    '504 Gateway Time-out',
  )
  expect(errorBody('<title>502 Bad Gateway</title>')).toBe('502 Bad Gateway')
  expect(errorBody('Unauthorized')).toBe('Unauthorized')
  expect(told('{"a":1}')).toBe('{"a":1}')
  expect(errorBody('{"error":{"type":"odd"}}')).toBe('{"error":{"type":"odd"}}')
  expect(told('null')).toBe('null')
})
