import { expect, test } from 'vitest'
import { createBatches } from '../../../models/local/batches.ts'
import type { Decoder, Step, Cache } from '../../../models/local/decoder.ts'
import type { Generation } from '../../../models/local/generate.ts'

const LENGTH = 8

interface Habits {
  /** Added to token 2's logit in a batch: noise, so far as a batch may have it. */
  readonly noise: number
  /** Lead of token 1 over token 2, of the n-th token of every answer. */
  readonly leads: readonly number[]
}

/** A model that says 1 as long as it leads, and 2 once noise has turned it. Its cache counts the tokens so far. */
const scripted = ({ noise, leads }: Habits): Decoder & { readonly sizes: number[] } => {
  const sizes: number[] = []
  const step = ({ ids, cache, padding }: Step) => {
    sizes.push(ids.length)
    const length = (cache?.get('past')?.length ?? 0) + (ids[0]?.length ?? 0)
    const logits = ids.map((_, row) => {
      const lead = leads[(length - (padding[row] ?? 0) - LENGTH) % leads.length] ?? 0
      return Float32Array.of(-9, lead, ids.length > 1 ? noise : 0)
    })
    const grown: Cache = new Map([
      ['past', { data: new Float32Array(ids.length * length), rows: ids.length, heads: 1, length, size: 1 }],
    ])
    return Promise.resolve({ logits, cache: grown })
  }
  return { step, close: () => Promise.resolve(), sizes }
}

const wanted = (changes: Partial<Generation> = {}): Generation => ({
  prompt: Array.from({ length: LENGTH }, (_, index) => index),
  maxTokens: 4,
  sampling: { temperature: 0, topP: 1, topK: 0, repetitionPenalty: 1 },
  eos: new Set(),
  draw: () => 0.5,
  stopped: () => false,
  signal: new AbortController().signal,
  ...changes,
})

const answers = async (decoder: Decoder, maxBatch: number, wantedOnes: readonly Generation[]) => {
  const batches = createBatches(decoder, maxBatch)
  const made = await Promise.all(wantedOnes.map((each) => batches.answer(each)))
  return made.map(({ tokens }) => tokens.map(({ id }) => id))
}

test('what is asked at the same time is answered together, up to the batch’s size', async () => {
  const decoder = scripted({ noise: 0, leads: [1] })
  expect(
    await answers(
      decoder,
      3,
      Array.from({ length: 5 }, () => wanted()),
    ),
  ).toEqual(Array.from({ length: 5 }, () => [1, 1, 1, 1]))
  expect(decoder.sizes.filter((size) => size === 3)).toHaveLength(3)
  expect(Math.max(...decoder.sizes)).toBe(3)
})

test('an answer with a near tie is made again alone, as the batch could have turned it', async () => {
  const habits = { noise: 2e-4, leads: [1, 1e-4, 1] }
  const alone = await answers(scripted(habits), 1, [wanted(), wanted()])
  expect(alone).toEqual([
    [1, 1, 1, 1],
    [1, 1, 1, 1],
  ])
  expect(await answers(scripted(habits), 2, [wanted(), wanted()])).toEqual(alone)
})

test('numbers that are none are no answer, and fail nobody else', async () => {
  const decoder = scripted({ noise: 0, leads: [1] })
  const broken: Decoder = {
    ...decoder,
    step: async (step) => {
      const stepped = await decoder.step(step)
      const isHit = step.ids.some((ids) => ids.includes(99))
      return { ...stepped, logits: stepped.logits.map((each) => (isHit ? Float32Array.of(NaN, 1, 0) : each)) }
    },
  }
  const batches = createBatches(broken, 3)
  const [hit, ...others] = await Promise.allSettled([
    batches.answer(wanted({ prompt: [98, 99] })),
    batches.answer(wanted()),
    batches.answer(wanted()),
  ])
  expect(hit).toMatchObject({ status: 'rejected', reason: { code: 'local/run', retriable: false } })
  expect(others).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }])
})

test('a model that can not be batched answers one at a time', async () => {
  const decoder = scripted({ noise: 1, leads: [0.5] })
  expect(await answers(decoder, 2, [wanted(), wanted()])).toEqual([
    [1, 1, 1, 1],
    [1, 1, 1, 1],
  ])
  expect(decoder.sizes.filter((size) => size === 2)).toHaveLength(1)
})

test('drawn answers are made alone', async () => {
  const decoder = scripted({ noise: 0, leads: [0] })
  const sampling = { temperature: 1, topP: 1, topK: 0, repetitionPenalty: 1 }
  const made = await answers(decoder, 4, [
    wanted({ sampling, draw: () => 0.2 }),
    wanted({ sampling, draw: () => 0.8 }),
  ])
  expect(made).toEqual([
    [1, 1, 1, 1],
    [2, 2, 2, 2],
  ])
  expect(Math.max(...decoder.sizes)).toBe(1)
})

test('answers of different lengths leave the batch as they end', async () => {
  const decoder = scripted({ noise: 0, leads: [1] })
  const made = await answers(decoder, 3, [wanted({ maxTokens: 2 }), wanted({ maxTokens: 6 }), wanted()])
  expect(made.map(({ length }) => length)).toEqual([2, 6, 4])
  expect(decoder.sizes.slice(-5)).toEqual([3, 2, 2, 1, 1])
})

test('an aborted call leaves the others their batch', async () => {
  const stop = new AbortController()
  const batches = createBatches(scripted({ noise: 0, leads: [1] }), 2)
  const doomed = batches.answer(wanted({ signal: stop.signal }))
  const other = batches.answer(wanted())
  stop.abort()
  await expect(doomed).rejects.toMatchObject({ code: 'call/aborted' })
  expect((await other).tokens).toHaveLength(4)
})

test('a fault of the runtime fails every call of its batch, and the next one is tried', async () => {
  let broken = true
  const decoder = scripted({ noise: 0, leads: [1] })
  const batches = createBatches(
    {
      ...decoder,
      step: (step) => (broken ? Promise.reject(new Error('out of memory')) : decoder.step(step)),
    },
    2,
  )
  const [first, second] = await Promise.allSettled([batches.answer(wanted()), batches.answer(wanted())])
  expect([first?.status, second?.status]).toEqual(['rejected', 'rejected'])
  broken = false
  expect((await batches.answer(wanted())).tokens).toHaveLength(4)
})
