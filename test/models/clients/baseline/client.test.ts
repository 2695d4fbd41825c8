import { describe, expect, test } from 'vitest'
import { BASELINES, createBaselineClient } from '../../../../models/clients/baseline/client.ts'
import { never, requestOf } from '../../../rig/model-calls.ts'

const CHOICE =
  'Question: Which gland makes insulin, the pancreas or another?\nA. Liver\nB. The pancreas\nC. The adrenal gland cortex\nAnswer:'
const CALCULATION =
  'Work out the value.\n\nPatient note: He is 66 years old. His serum sodium is 140 mmol/L. His weight is 80 kg.\n\nQuestion: What is his weight in kilograms?\n\nAnswer:'
const NOTE =
  'Write a summary of the knee injury.\n\nNote: She fell on Monday. Her knee hurts since the injury. She can walk.\n\nSummary:'

const answer = async (name: string, prompt: string, changes = {}) =>
  (await createBaselineClient(name).complete(requestOf(prompt, changes), never)).choices[0]

describe('embedded models', () => {
  test.each([
    ['first-choice', 'A', '80', 'She fell on Monday.'],
    ['lexical-overlap', 'B', '80', 'Her knee hurts since the injury.'],
    ['lead', 'C', '66', 'She fell on Monday. Her knee hurts since the injury. She can walk.'],
  ])('%s answers by its rule', async (name, choice, number, text) => {
    expect(await answer(name, CHOICE)).toEqual({ text: choice, finishReason: 'stop' })
    expect(await answer(name, CALCULATION)).toEqual({ text: number, finishReason: 'stop' })
    expect(await answer(name, NOTE)).toEqual({ text, finishReason: 'stop' })
  })

  test('random choice draws from what the prompt offers and never changes its mind', async () => {
    expect(['A', 'B', 'C']).toContain((await answer('random-choice', CHOICE))?.text)
    expect(['66', '140', '80']).toContain((await answer('random-choice', CALCULATION))?.text)
    expect(await answer('random-choice', NOTE)).toEqual(
      await answer('random-choice', NOTE, { sampleIndex: 3 }),
    )
  })

  test('random choice spreads over the options', async () => {
    const letters = await Promise.all(
      Array.from(
        { length: 60 },
        async (_, index) => (await answer('random-choice', `${index} ${CHOICE}`))?.text,
      ),
    )
    for (const letter of ['A', 'B', 'C'])
      expect(letters.filter((found) => found === letter).length).toBeGreaterThan(8)
  })

  test('lead stops at whole sentences within the token limit', async () => {
    expect(await answer('lead', NOTE, { maxTokens: 6 })).toEqual({
      text: 'She fell on Monday.',
      finishReason: 'stop',
    })
    expect(await answer('lead', NOTE, { maxTokens: 2 })).toMatchObject({ text: 'She fell' })
  })

  test('lead keeps to the number of words that the prompt allows', async () => {
    const prompt = NOTE.replace('injury.', 'injury in at most 10 words.')
    expect(await answer('lead', prompt)).toMatchObject({
      text: 'She fell on Monday. Her knee hurts since the injury.',
    })
  })

  test('answers end at the token limit and before a stop sequence', async () => {
    expect(await answer('first-choice', NOTE, { maxTokens: 2 })).toEqual({
      text: 'She fell',
      finishReason: 'length',
    })
    expect(await answer('first-choice', NOTE, { stop: [' on', ''] })).toEqual({
      text: 'She fell',
      finishReason: 'stop',
    })
  })

  test('asked for several answers, each gives the same one', async () => {
    const reply = await createBaselineClient('lead').complete(requestOf(CHOICE, { n: 3 }), never)
    expect(reply.choices.map((choice) => choice.text)).toEqual(['C', 'C', 'C'])
    expect(reply.usage).toEqual({ inputTokens: 20, outputTokens: 3 })
  })

  test.each([...BASELINES.keys()].filter((name) => name !== 'overlap-judge'))(
    '%s gives an answer to an empty prompt',
    async (name) => {
      expect(await answer(name, '')).toEqual({ text: '', finishReason: 'stop' })
    },
  )

  test('make no network calls', () => {
    expect(createBaselineClient('lead').local).toBe(true)
  })

  test('end when the run is stopped', async () => {
    await expect(
      createBaselineClient('lead').complete(requestOf('x'), AbortSignal.abort()),
    ).rejects.toMatchObject({ code: 'call/aborted' })
  })

  test('an unknown name is refused with the known ones', () => {
    expect(() => createBaselineClient('lede')).toThrow('models/unknown-baseline')
  })
})
