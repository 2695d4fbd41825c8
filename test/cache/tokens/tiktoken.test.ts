import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { str } from '../../../benchmarks/python/numbers/number.ts'
import { loads } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { tiktoken } from '../../../cache/tokens/tiktoken.ts'
import { get } from '../../rig/helm-forms.ts'
import { shared } from '../../rig/shared.ts'

const golden = shared('golden/gated-and-private/runs') ?? ''
const read = (path: string): PyValue => loads(readFileSync(path, 'utf8'))
const listOf = (value: PyValue | undefined): readonly PyValue[] => (Array.isArray(value) ? value : [])

describe.skipIf(golden === '')('cl100k', () => {
  test.each(readdirSync(golden === '' ? '.' : golden))('counts what tiktoken counted in %s', (run) => {
    const prompts = new Map<PyValue | undefined, string>()
    for (const state of listOf(get(read(join(golden, run, 'scenario_state.json')), 'request_states')))
      prompts.set(get(state, 'instance', 'id'), str(get(state, 'request', 'prompt') ?? ''))
    for (const instance of listOf(read(join(golden, run, 'per_instance_stats.json'))))
      for (const stat of listOf(get(instance, 'stats')))
        if (get(stat, 'name', 'name') === 'num_prompt_tokens')
          expect(tiktoken('cl100k_base').count(prompts.get(get(instance, 'instance_id')) ?? '')).toBe(
            get(stat, 'sum'),
          )
  })
})

test('tokens have the texts that tiktoken gives them one by one', () => {
  expect(tiktoken('o200k_base').tokens('blood pressure 𝔘')).toEqual([
    'blood',
    ' pressure',
    ' ',
    '\ufffd',
    '\ufffd',
    '\ufffd',
  ])
  expect(tiktoken('cl100k_base').head('blood pressure', 1)).toBe('blood')
})

describe('the end of a text', () => {
  const lines = Array.from(
    { length: 4000 },
    (_, line) => `<event n="${line}">β-blocker 25 mg  \n  twice</event>\n`,
  )
  const text = lines.join('')
  const total = tiktoken('cl100k_base').count(text)

  test('is the text itself when it has no more tokens', () => {
    expect(tiktoken('cl100k_base').tail(text, total)).toBe(text)
    expect(tiktoken('cl100k_base').tail('', 5)).toBe('')
  })

  test.each([1, 7, 1000, 20_000])('of %i tokens is that many tokens long and ends the text', (limit) => {
    const end = tiktoken('cl100k_base')
      .tail(text, limit)
      .replace(/^\ufffd+/, '')
    expect(text.endsWith(end)).toBe(true)
    expect(Math.abs(tiktoken('cl100k_base').count(end) - limit)).toBeLessThanOrEqual(2)
  })

  test('starts with U+FFFD where a character is cut in two', () => {
    expect(tiktoken('cl100k_base').count('𝔘')).toBe(3)
    expect(tiktoken('cl100k_base').tail('a𝔘', 1)).toBe('\ufffd')
  })

  test('or its beginning is empty where it may have no tokens, or fewer', () => {
    const tokenizer = tiktoken('cl100k_base')
    for (const limit of [0, -1])
      expect([tokenizer.head(text, limit), tokenizer.tail(text, limit)]).toEqual(['', ''])
  })
})

test.each([
  ['\ufeffFINDINGS', 4],
  ['a \u0085\u0085b', 6],
  ['<|endoftext|>', 7],
  ["it'ſ 'S", 6],
  ['x \n \u2028\n y', 6],
])('%j is cut as tiktoken cuts it', (text, count) => {
  expect(tiktoken('cl100k_base').count(text)).toBe(count)
})

test.each([
  ['\ufeffFINDINGS', 4],
  ["it'ſ 'S", 5],
])('%j is cut as tiktoken cuts it with o200k', (text, count) => {
  expect(tiktoken('o200k_base').count(text)).toBe(count)
})
