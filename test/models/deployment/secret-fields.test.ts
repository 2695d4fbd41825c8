import { expect, test } from 'vitest'
import { keyHider } from '../../../models/clients/chat/plain-fetch.ts'
import { secretFields, secretTexts } from '../../../models/deployment/secret-fields.ts'
import { differences } from '../../../targets/scheduler/explain.ts'

const keyOf = (secret: string) => ({
  completions: {
    arguments: {
      body: {
        metadata: [{ api_key: secret, hint: 'x' }],
        'X-Password': secret,
        stop_token: '</s>',
        max_tokens: 5,
      },
      accessToken: secret,
      token: '',
    },
  },
  headers: secret === 'none' ? 'x' : { Authorization: [secret] },
})

test('Texts of a key that are called as secrets are found by their paths.', () => {
  expect(secretFields(keyOf('canary'))).toEqual([
    'completions.arguments.body.metadata.api_key',
    'completions.arguments.body.X-Password',
    'completions.arguments.accessToken',
    'headers.Authorization',
  ])
  const others = ['clientSecret', 'Ocp-Apim-Subscription-Key', 'bearer_token', 'dbPassword']
  expect(secretFields(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual(others)
  expect(secretFields({ stop_token: '</s>', api_key: '', access_token: 5 })).toEqual([])
})

test('These texts are told word by word, with those of all headers, for errors to be without them.', () => {
  expect(
    secretTexts({
      dbPassword: 'one two',
      headers: { 'X-Gateway': 'Gate three' },
      model: 'm',
      deep: [{ token: 'four' }],
    }),
  ).toEqual(['one two', 'one', 'two', 'Gate three', 'Gate', 'three', 'four', 'four'])
})

test('A difference of such a text is told without it, wherever the texts stand.', () => {
  const told = differences(keyOf('none'), keyOf('canary'))
  expect(told).toHaveLength(4)
  expect(JSON.stringify(told)).not.toContain('canary')
  expect(told[0]).toEqual({
    path: 'completions.arguments.body.metadata[0].api_key',
    before: '[secret]',
    after: '[secret]',
  })
  expect(told[3]).toEqual({ path: 'headers', before: 'x', after: { Authorization: ['[secret]'] } })
})

test('Of an address its user and the values of its query are told, decoded.', () => {
  expect(secretTexts({ url: 'https://ann:our%40word@h/v1?code=a%2Fb&n=1', note: 'see https://h' })).toEqual([
    'ann',
    'our@word',
    'a/b',
    '1',
  ])
})

test('A password of digits, which YAML takes for a number, is one as well; the number of a setting is none.', () => {
  const args = { db: { password: 24681357 }, access_token: 5, max_tokens: 24681357 }
  expect(secretFields(args)).toEqual(['db.password'])
  expect(secretTexts(args)).toEqual(['24681357', '24681357'])
  expect(JSON.stringify(differences({ a: args.db }, { a: { password: 1 } }))).not.toContain('24681357')
})

test('No sentence that begins with a word and a colon passes for an address with secrets', () => {
  const prompt = 'system: the guideline is at https://a.example/g. Is the patient stable? a&b=Say yes or no.'
  expect(secretTexts({ prompt })).toEqual([])
  expect(secretTexts({ url: 'jdbc:a://h/d?password=canary-1' })).toContain('canary-1')
})

test('A key as long as a private one is hidden', () => {
  const key = Array.from({ length: 4000 }, (_, at) => String.fromCharCode(97 + ((at * at) % 26))).join('')
  expect(keyHider(key)(`<${key}>`).replaceAll('[key]', '')).toBe('<>')
})
