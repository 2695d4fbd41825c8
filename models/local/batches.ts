import { batchNoise, generate, generateTogether, type GeneratedTokens, type Generation } from './generate.ts'
import type { Decoder } from './decoder.ts'

/** Makes answers, those that are asked for at the same time together. */
export interface LocalBatches {
  /** @throws ClientError */
  answer(generation: Generation): Promise<GeneratedTokens>
}

/** Logits: noise above this is no rounding, so such a model answers one request at a time. */
const TOO_NOISY = 0.05
/** A lead must be so many times what was measured, and so much at least. */
const MARGIN = 16
const LEAST_LEAD = 1e-3

interface Waiting {
  readonly generation: Generation
  readonly resolve: (generated: GeneratedTokens) => void
  readonly reject: (error: unknown) => void
}

/**
 * Gathers what is asked while the decoder is busy. An answer is the same in any company: prompts are read alone, only
 * greedy answers are made together, and those with a near tie once more alone.
 */
export const createBatches = (decoder: Decoder, maxBatch: number): LocalBatches => {
  const waiting: Waiting[] = []
  let working = false
  /** Logits that a token must lead by in a batch; Infinity: no batches. Measured on the first one. */
  let closest: number | undefined

  const makeAlone = async ({ generation, resolve, reject }: Waiting): Promise<void> =>
    generate(decoder, generation).then(resolve, reject)

  const makeTogether = async (batch: readonly Waiting[]): Promise<void> => {
    closest ??= await closestOf(decoder, batch)
    const givenUp = new Set(batch)
    if (Number.isFinite(closest))
      await generateTogether(
        decoder,
        batch.map(({ generation }) => generation),
        closest,
        (index, generated) => {
          const each = batch[index]
          if (generated === undefined || each === undefined) return
          givenUp.delete(each)
          each.resolve(generated)
        },
      )
    for (const each of givenUp) await makeAlone(each)
  }

  const work = async (): Promise<void> => {
    // What the caller asks for in the same turn comes along.
    await new Promise(setImmediate)
    for (let batch = nextBatch(waiting, maxBatch); batch.length > 0; batch = nextBatch(waiting, maxBatch)) {
      const [first] = batch
      if (first !== undefined && batch.length === 1) await makeAlone(first)
      else
        await makeTogether(batch).catch((error: unknown) => {
          for (const { reject } of batch) reject(error)
        })
    }
    working = false
  }

  return {
    answer: (generation) =>
      new Promise((resolve, reject) => {
        waiting.push({ generation, resolve, reject })
        if (working) return
        working = true
        void work()
      }),
  }
}

/** Takes the first to come and greedy ones with it; a drawn answer is made alone, where chance meets no noise. */
const nextBatch = (waiting: Waiting[], maxBatch: number): readonly Waiting[] => {
  const [first] = waiting
  const batch =
    first === undefined || !isGreedy(first)
      ? waiting.slice(0, 1)
      : waiting.filter(isGreedy).slice(0, maxBatch)
  for (const each of batch) waiting.splice(waiting.indexOf(each), 1)
  return batch
}

const isGreedy = ({ generation }: Waiting): boolean => generation.sampling.temperature < 1e-6

const closestOf = async (decoder: Decoder, batch: readonly Waiting[]): Promise<number> => {
  const prompt = batch.map(({ generation }) => generation.prompt).find(({ length }) => length > 1)
  const noise = prompt === undefined ? Number.POSITIVE_INFINITY : await batchNoise(decoder, prompt)
  return noise > TOO_NOISY ? Number.POSITIVE_INFINITY : Math.max(LEAST_LEAD, MARGIN * noise)
}
