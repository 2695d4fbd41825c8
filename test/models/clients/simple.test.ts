import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createSimpleClient } from '../../../models/clients/simple.ts'
import { shared } from '../../rig/shared.ts'
import { never, requestOf } from '../../rig/model-calls.ts'

interface GoldenState {
  readonly request: { readonly prompt: string; readonly num_completions: number }
  readonly result: { readonly completions: readonly { text: string; logprob: number; tokens: unknown }[] }
}

const textsOf = async (prompt: string, n: number) =>
  (await createSimpleClient().complete(requestOf(prompt, { n }), never)).choices.map((choice) => choice.text)

describe('the simple model', () => {
  test('answers with the words of the prompt from its end', async () => {
    expect(await textsOf('one two\n\nthree', 2)).toEqual(['three', 'two'])
  })

  test('costs nothing, as no server is asked', () => {
    expect(createSimpleClient().local).toBe(true)
  })

  test('goes round when it runs out of words', async () => {
    expect(await textsOf('one two', 5)).toEqual(['two', 'one', 'two', 'one', 'two'])
  })

  test('splits where Python splits', async () => {
    expect(await textsOf('one\u001Ctwo\u0085three\uFEFFfour', 3)).toEqual(['three\uFEFFfour', 'two', 'one'])
  })

  test('gives one token of log probability 0 and no finish reason', async () => {
    const reply = await createSimpleClient().complete(requestOf('Answer:'), never)
    expect(reply.choices).toEqual([
      { text: 'Answer:', finishReason: null, tokens: [{ text: 'Answer:', logprob: 0 }] },
    ])
  })

  test('has no answer to a prompt without words', async () => {
    await expect(createSimpleClient().complete(requestOf(' \n'), never)).rejects.toMatchObject({
      code: 'simple/empty-prompt',
      retriable: false,
    })
  })
})

const GOLDENS = [
  'golden/simple-scenarios/benchmark_output/runs/s1/simple1:model=simple_model1/scenario_state.json',
  'golden/simple-scenarios/benchmark_output/runs/s1/simple_classification:model=simple_model1/scenario_state.json',
  'golden/simple-scenarios/benchmark_output/runs/s1/simple_mcqa:model=simple_model1/scenario_state.json',
  'golden/configurable-benchmark/benchmark_output/runs/s2/DEMO-EM:model=simple_model1,groups=alpha-zeta/scenario_state.json',
  'golden/configurable-benchmark/benchmark_output/runs/s2/DEMO-EM:model=foo_bar,num_output_tokens=8/scenario_state.json',
]

describe.skipIf(shared('golden') === undefined)(
  'what HELM recorded (skipped without the reference runs)',
  () => {
    test.each(GOLDENS)('equals %s', async (path) => {
      const states = JSON.parse(await readFile(shared(path) ?? '', 'utf8')) as {
        request_states: GoldenState[]
      }
      expect(states.request_states.length).toBeGreaterThan(0)
      for (const { request, result } of states.request_states) {
        const reply = await createSimpleClient().complete(
          requestOf(request.prompt, { n: request.num_completions }),
          never,
        )
        expect(
          reply.choices.map(({ text, tokens }) => ({ text, logprob: tokens?.[0]?.logprob, tokens })),
        ).toEqual(result.completions)
      }
    })
  },
)
