import { describe, expect, test } from 'vitest'
import type { Json } from '../../../../cache/values/json.ts'
import { ClientError, type Choice } from '../../../../models/calls/client.ts'
import { WIRE_FORMS } from '../../../../models/clients/wire/forms.ts'
import { parseBody, readReply } from '../../../../models/clients/wire/wire-form.ts'
import { requestOf } from '../../../rig/model-calls.ts'

const { chat, completions, responses } = WIRE_FORMS
type Form = keyof typeof WIRE_FORMS

const choicesOf = (form: Form, body: Json): readonly Choice[] => readReply(WIRE_FORMS[form], body).choices
const refused = (form: Form, body: Json): ClientError => {
  try {
    readReply(WIRE_FORMS[form], body)
  } catch (error) {
    if (error instanceof ClientError) return error
    throw error
  }
  throw new Error('it was read')
}

const REQUEST = requestOf('Is it?', {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Is it?' },
  ],
  temperature: 0.5,
  topP: 0.9,
  maxTokens: 7,
  stop: ['\n', 'END'],
  n: 2,
  seed: 0,
})
const SETTINGS = { form: 'chat', reasoning: false } as const

describe('A request', () => {
  const sampling = { temperature: 0.5, top_p: 0.9 }
  test.each([
    ['chat', { messages: REQUEST.messages, n: 2, max_tokens: 7, stop: ['\n', 'END'], seed: 0, ...sampling }],
    [
      'completions',
      { prompt: 'Be brief.\nIs it?', n: 2, max_tokens: 7, stop: ['\n', 'END'], seed: 0, ...sampling },
    ],
    ['responses', { input: REQUEST.messages, max_output_tokens: 16, store: false, ...sampling }],
  ] as const)('of the form %s says all that it knows of.', (form, wanted) => {
    expect(WIRE_FORMS[form].body(REQUEST, 'm', SETTINGS)).toEqual({ model: 'm', ...wanted })
  })

  test.each(['chat', 'completions'] as const)(
    'of the form %s names no stops and no seed where there are none.',
    (form) => {
      const body = WIRE_FORMS[form].body(requestOf('Is it?'), 'm', { ...SETTINGS, body: { n: 3, own: 1 } })
      expect(Object.keys(body)).not.toContain('stop')
      expect(Object.keys(body)).not.toContain('seed')
      // What the deployment puts in wins.
      expect(body).toMatchObject({ n: 3, own: 1 })
    },
  )

  test.each(['chat', 'completions', 'responses'] as const)(
    'of the form %s leaves out what the deployment says to be null, and nothing else.',
    (form) => {
      const settings = { ...SETTINGS, body: { top_p: null, own: 1 } }
      const { top_p: _, ...rest } = WIRE_FORMS[form].body(REQUEST, 'm', SETTINGS)
      expect(WIRE_FORMS[form].body(REQUEST, 'm', settings)).toEqual({ ...rest, own: 1 })
    },
  )

  test('of Responses asks for at least 16 tokens, and for as many as are wanted above.', () => {
    expect(responses.body(requestOf('a', { maxTokens: 17 }), 'm', SETTINGS)).toMatchObject({
      max_output_tokens: 17,
    })
    expect([chat.several, completions.several, responses.several]).toEqual([true, true, false])
  })
})

describe('A reply', () => {
  const message = (more: { readonly [key: string]: Json }, finish: Json = 'stop'): Json => ({
    choices: [{ message: more, finish_reason: finish }],
  })

  test('is its content, with what the server thought and refused beside it.', () => {
    expect(choicesOf('chat', message({ content: null, reasoning_content: 'Hm.', refusal: 'No.' }))).toEqual([
      { text: '', finishReason: 'stop', thinking: 'Hm.', refusal: 'No.' },
    ])
    expect(choicesOf('chat', message({ content: 'a', reasoning_content: null, refusal: '' }, null))).toEqual([
      { text: 'a', finishReason: null },
    ])
    const part = (refusal: string): Json => ({ type: 'refusal', refusal })
    const thought = (...texts: readonly string[]): Json => ({
      type: 'reasoning',
      summary: texts.map((text) => ({ text })),
    })
    const output = [thought('One.', 'Two.'), { type: 'message', content: [part('No.'), part('Never.')] }]
    expect(choicesOf('responses', { status: 'incomplete', output })).toEqual([
      { text: '', finishReason: 'incomplete', thinking: 'One.\n\nTwo.', refusal: 'No.\nNever.' },
    ])
    const stopped = (reason: string) => ({ status: 'incomplete', incomplete_details: { reason }, output: [] })
    const reasonFor = (reason: string) => choicesOf('responses', stopped(reason))[0]?.finishReason
    expect(reasonFor('content_filter')).toBe('content_filter')
    // In the words of the other forms.
    expect(reasonFor('max_output_tokens')).toBe('length')
    expect(reasonFor('content_filter: SAFETY')).toBe('content_filter: SAFETY')
    // What is no word may repeat the prompt.
    expect(reasonFor('Mrs Jones was seen')).toBeNull()
  })

  const said = (text: Json): Json => ({ type: 'text', text })
  test.each([
    [
      'Mistral',
      [{ type: 'thinking', thinking: [said('Hm.'), said('So.')] }, said('ye'), said('s')],
      'Hm.\n\nSo.',
    ],
    [
      'Databricks',
      [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] }, said('yes')],
      'Hm.',
    ],
    ['a server that cites', [said('yes'), { type: 'reference', reference_ids: [1] }], undefined],
    ['a server of bare texts', ['ye', 's'], undefined],
  ])('in the parts that %s sends is their texts, and what was thought.', (_, content, thinking) => {
    expect(choicesOf('chat', message({ content }))).toEqual([
      { text: 'yes', finishReason: 'stop', ...(thinking === undefined ? {} : { thinking }) },
    ])
  })

  test('has its thoughts under the name that vLLM and OpenRouter give them, too.', () => {
    expect(choicesOf('chat', message({ content: 'a', reasoning: 'Hm.' }))[0]?.thinking).toBe('Hm.')
  })

  test.each([
    [-0.5, [{ text: 'a', logprob: -0.5 }]],
    [null, undefined],
    ['-0.5', undefined],
  ])('with a log probability of %j has tokens %j.', (logprob, tokens) => {
    const [choice] = choicesOf('chat', {
      choices: [{ message: { content: 'a' }, logprobs: { content: [{ token: 'a', logprob }] } }],
    })
    expect(choice?.tokens).toEqual(tokens)
  })

  test('has names without what can’t be shown, and none that are no texts.', () => {
    const reply = (more: object): unknown => ({
      ...readReply(chat, { ...(message({ content: 'a' }) as object), ...more }),
      choices: [],
    })
    expect(reply({ model: 'm', system_fingerprint: 'fp' })).toEqual({
      choices: [],
      model: 'm',
      systemFingerprint: 'fp',
    })
    expect(reply({ model: '', system_fingerprint: 7 })).toEqual({ choices: [] })
  })

  const failure = { error: { message: 'all upstreams are down' } }
  test.each([
    ['chat', failure],
    ['chat', { choices: [{ message: { content: 'half' }, ...failure }] }],
    ['chat', message({ content: 'half' }, 'error')],
    ['chat', message({ content: 'half' }, 'abort')],
    ['chat', message({ content: 'half' }, 'insufficient_system_resource')],
    ['chat', message({ content: 'half' }, 'network_error')],
    ['chat', message({ content: 'half' }, 'cancelled')],
    ['chat', message({ content: 'half' }, 'TIMEOUT')],
    ['responses', { status: 'failed', output: [] }],
    ['completions', failure],
    ['completions', { choices: [{ text: 'half', finish_reason: 'error' }] }],
    ['completions', { choices: [{ text: 'half', ...failure }] }],
    ['responses', { error: { code: 'rate_limit_exceeded', message: 'slow' } }],
    ['responses', { error: { code: 'server_error', message: 'broken' } }],
  ] as const)('of the form %s that tells a failure is none, and may succeed later: %j.', (form, body) => {
    expect(refused(form, body)).toMatchObject({ code: 'reply/error', retriable: true })
  })

  test.each([
    ['chat', { choices: [] }, 'reply/no-choices'],
    ['chat', null, 'reply/no-choices'],
    ['chat', { choices: [{ message: null }] }, 'reply/malformed'],
    ['chat', { choices: [null] }, 'reply/malformed'],
    ['chat', message({ content: 5 }), 'reply/malformed'],
    ['chat', message({ content: [{ type: 'text', text: 5 }] }), 'reply/malformed'],
    ['completions', { choices: [] }, 'reply/no-choices'],
    ['completions', { choices: [{ text: null }] }, 'reply/malformed'],
    ['responses', {}, 'reply/no-choices'],
    [
      'responses',
      { output: [{ type: 'message', content: [{ type: 'output_text', text: 5 }] }] },
      'reply/malformed',
    ],
    // Words of an unknown kind are not no words.
    ['chat', message({ content: [{ type: 'output_text', text: 'yes' }] }), 'reply/malformed'],
    ['chat', message({ content: [{ text: 'yes' }] }), 'reply/malformed'],
    ['responses', { output: ['yes'] }, 'reply/malformed'],
    ['responses', { output: [{ type: 'message', content: 'yes' }] }, 'reply/malformed'],
    ['responses', { output: [{ type: 'message', content: [{ text: 'yes' }] }] }, 'reply/malformed'],
    ['responses', { output: [{ content: [{ type: 'output_text', text: 'yes' }] }] }, 'reply/malformed'],
  ] as const)('of the form %s that is %j is %s.', (form, body, code) => {
    expect(refused(form, body)).toMatchObject({ code, retriable: true })
  })

  test.each([
    [429, true],
    [408, true],
    [400, false],
    [402, false],
    ['403', false],
  ])('in whose place a router tells the status %s counts as refused with it.', (code, retriable) => {
    const told = { error: { code, message: 'Provider returned error', metadata: { raw: 'too long' } } }
    const error = refused('chat', told)
    expect(error).toMatchObject({ code: 'reply/error', status: Number(code), retriable })
    expect(error.message).toContain('Provider returned error: too long')
    expect(error.billed).toBeUndefined()
    // Half an answer may be charged.
    expect(refused('chat', { choices: [{ message: { content: 'ye' }, ...told }] }).billed).toBe(true)
  })

  test('that the server refuses for what was asked is final.', () => {
    expect(refused('responses', { error: { code: 'invalid_prompt', message: 'no' } }).retriable).toBe(false)
  })
})

test('Half a surrogate pair, which a cut emoji leaves, becomes the sign of what is no text, in names too.', () => {
  expect(parseBody('{"a\\ud83d":["\\uD83D\\uDE00","\\ud83d",null,1]}')).toEqual({
    'a\ufffd': ['😀', '\ufffd', null, 1],
  })
})
