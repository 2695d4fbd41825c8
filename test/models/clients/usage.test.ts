import { expect, it } from 'vitest'
import { readReply } from '../../../models/clients/wire/wire-form.ts'
import { readUsage, WIRE_FORMS } from '../../../models/clients/wire/forms.ts'

const told = (
  input: number | null,
  output: number | null,
  parts: { readonly cached?: number; readonly reasoning?: number; readonly total?: number } = {},
) => readUsage({ input, output, total: parts.total, cached: parts.cached, reasoning: parts.reasoning })

it('takes counts as they are told', () => {
  expect(told(7, 0, { cached: 7, reasoning: 0 })).toEqual({
    usage: { inputTokens: 7, outputTokens: 0, cachedInputTokens: 7, reasoningTokens: 0 },
  })
})

it('takes half a usage for none', () => {
  expect(told(7, null)).toEqual({})
  expect(told(null, 7)).toEqual({})
})

it.each([-1, 0.5, 1e300, Number.POSITIVE_INFINITY, 100_000_001])('does not believe %d tokens', (tokens) => {
  expect(told(7, tokens)).toEqual({ impossibleUsage: true })
  expect(told(tokens, 7)).toEqual({ impossibleUsage: true })
})

it('cuts a part to its whole', () => {
  expect(told(7, 3, { cached: 9, reasoning: 1e9 }).usage).toMatchObject({
    cachedInputTokens: 7,
    reasoningTokens: 0,
  })
  expect(told(7, 3, { cached: -9, reasoning: 4 }).usage).toMatchObject({
    cachedInputTokens: 0,
    reasoningTokens: 3,
  })
})

it.each([
  ['charges thoughts that only the total holds', 135, { outputTokens: 103, reasoningTokens: 94 }],
  ['leaves a total that holds less than its parts', 12, { outputTokens: 9, reasoningTokens: 9 }],
  ['leaves a total that cannot be', 1e300, { outputTokens: 9, reasoningTokens: 9 }],
])('%s', (_, total, charged) => {
  expect(told(32, 9, { reasoning: 94, total }).usage).toMatchObject(charged)
})

it.each([
  [0, 3, 'yes', true],
  [7, 0, 'yes', true],
  [7, 0, '', undefined],
  [7, 3, 'yes', undefined],
])('%d tokens read and %d written for %j can not be: %s', (input, output, content, impossible) => {
  const body = {
    choices: [{ message: { content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: input, completion_tokens: output },
  }
  const reply = readReply(WIRE_FORMS.chat, body, 1)
  expect([reply.impossibleUsage, reply.usage === undefined]).toEqual([impossible, impossible === true])
})

it.each([
  { prompt_cache_hit_tokens: 5 },
  { cached_tokens: 5 },
  { prompt_tokens_details: { cached_tokens: 5 } },
])('finds what was cached under %j', (cached) => {
  const usage = { prompt_tokens: 7, completion_tokens: 3, ...cached }
  const body = { choices: [{ message: { content: 'yes' }, finish_reason: 'stop' }], usage }
  expect(readReply(WIRE_FORMS.chat, body, 1).usage?.cachedInputTokens).toBe(5)
})
