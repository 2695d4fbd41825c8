import { expect, test } from 'vitest'
import { refusalRemedy, requestHeaders } from '../../../../benchmarks/sources/fetch/download.ts'

const env = { HF_TOKEN: 'secret' }

test('The token goes to the Hub alone, and only over https.', () => {
  expect(requestHeaders('https://huggingface.co/api/datasets/a/b', env)).toMatchObject({
    authorization: 'Bearer secret',
  })
  for (const url of [
    'http://huggingface.co/x',
    'https://huggingface.co.evil.example/x',
    'https://github.com/x',
  ])
    expect(requestHeaders(url, env)).not.toHaveProperty('authorization')
  expect(requestHeaders('https://huggingface.co/x', {})).not.toHaveProperty('authorization')
})

test('Every request names its client and wants the bytes as published.', () => {
  expect(requestHeaders('https://api.github.com/x', {})).toEqual({
    'user-agent': 'medmake',
    'accept-encoding': 'identity',
  })
})

test('A refusal of the Hub asks for a token.', () => {
  expect(refusalRemedy('https://huggingface.co/x', 401)).toContain('HF_TOKEN')
  expect(refusalRemedy('https://huggingface.co/x', 403)).toContain('HF_TOKEN')
  expect(refusalRemedy('https://api.github.com/x', 403)).toContain('try again later')
  expect(refusalRemedy('https://huggingface.co/x', 500)).toBeUndefined()
  expect(refusalRemedy('https://example.org/x', 403)).toBeUndefined()
})
