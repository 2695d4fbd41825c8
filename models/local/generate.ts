import { aborted, ClientError } from '../calls/client.ts'
import { chooseToken, type Chosen, type Sampling } from './choose-token.ts'
import { type Decoder, mergeCaches, takeRows, type Cache } from './decoder.ts'

/** One answer that is to be made. */
export interface Generation {
  /** Ids, at least one. */
  readonly prompt: readonly number[]
  readonly maxTokens: number
  readonly sampling: Sampling
  readonly eos: ReadonlySet<number>
  /** Uniform in [0, 1) for the n-th token. */
  readonly draw: (token: number) => number
  /** True where the ids so far hold a stop sequence. */
  readonly stopped: (ids: readonly number[]) => boolean
  readonly signal: AbortSignal
}

export interface GeneratedTokens {
  /** Without the token that ended it. */
  readonly tokens: readonly Chosen[]
  readonly finish: 'stop' | 'length'
}

/** Prompt tokens of one step: logits come for each of them, which are many numbers. */
const CHUNK = 256

/** Makes one answer. @throws ClientError `call/aborted`, between two tokens; `local/run` */
export const generate = async (decoder: Decoder, generation: Generation): Promise<GeneratedTokens> => {
  const row = rowOf(generation)
  let { logits, cache } = await readPrompt(decoder, generation)
  while (take(row, logits)) {
    if (generation.signal.aborted) throw aborted()
    const stepped = await decoder.step({ ids: [[lastOf(row)]], padding: [0], cache })
    logits = stepped.logits[0] ?? logits
    cache = stepped.cache
  }
  const made = resultOf(row)
  if (made !== undefined) return made
  throw new ClientError('local/run', 'the model gives no numbers (NaN): its export is damaged', {
    retriable: false,
  })
}

/**
 * Makes several answers at a time. The last bits of a batch's logits hang on who is in it; so an answer is given up
 * where two tokens come closer than `closest`, and is to be made alone.
 *
 * @param closest - logits; more than what the batch's company can shift
 * @param tell - called once an answer, as soon as it is there; undefined: given up, or its signal was aborted
 */
export const generateTogether = async (
  decoder: Decoder,
  generations: readonly Generation[],
  closest: number,
  tell: (index: number, generated: GeneratedTokens | undefined) => void,
): Promise<void> => {
  const rows: Row[] = []
  const caches: Cache[] = []
  // Each prompt by itself: its first token then is what it would be alone.
  for (const [index, generation] of generations.entries()) {
    const row = rowOf(generation, (generated) => tell(index, generated))
    const read = generation.signal.aborted ? undefined : await readOrAbort(decoder, generation)
    if (read !== undefined && take(row, read.logits)) {
      rows.push(row)
      caches.push(read.cache)
    } else row.end()
  }
  await stepTogether(decoder, rows, caches, closest)
}

const stepTogether = async (
  decoder: Decoder,
  begun: readonly Row[],
  caches: readonly Cache[],
  closest: number,
): Promise<void> => {
  let rows = begun
  let cache = mergeCaches(caches)
  const longest = Math.max(0, ...begun.map(({ generation }) => generation.prompt.length))
  const paddingOf = ({ generation }: Row): number => longest - generation.prompt.length
  while (rows.length > 0) {
    const stepped = await decoder.step({
      ids: rows.map((row) => [lastOf(row)]),
      padding: rows.map(paddingOf),
      cache,
    })
    for (const [index, row] of rows.entries()) {
      const logits = stepped.logits[index]
      if (row.generation.signal.aborted || logits === undefined) row.going = false
      else take(row, logits, closest)
      if (!row.going) row.end()
    }
    const kept = rows.flatMap((row, index) => (row.going ? [index] : []))
    cache = kept.length === rows.length ? stepped.cache : takeRows(stepped.cache, kept)
    rows = rows.filter((row) => row.going)
  }
}

/** An answer on its way. */
interface Row {
  readonly generation: Generation
  readonly tokens: Chosen[]
  readonly ids: number[]
  going: boolean
  finish?: GeneratedTokens['finish']
  /** Tells that nothing more comes. */
  readonly end: () => void
}

const rowOf = (
  generation: Generation,
  tell: (generated: GeneratedTokens | undefined) => void = () => {},
): Row => {
  const row: Row = {
    generation,
    tokens: [],
    ids: [],
    going: false,
    end: () => tell(resultOf(row)),
  }
  return row
}

const lastOf = ({ ids }: Row): number => ids.at(-1) ?? 0

/** Undefined where it was given up. */
const resultOf = ({ tokens, finish }: Row): GeneratedTokens | undefined => finish && { tokens, finish }

/** Adds the next token; true while there is more to come. */
const take = (row: Row, logits: Float32Array, closest = 0): boolean => {
  const { generation, tokens, ids } = row
  row.going = false
  if (tokens.length >= generation.maxTokens) return finish(row, 'length')
  const seen = generation.sampling.repetitionPenalty === 1 ? ids : [...generation.prompt, ...ids]
  const chosen = chooseToken(logits, seen, generation.sampling, generation.draw(ids.length))
  // Of what is no number the first token would be taken, and its text be scored.
  if (Number.isNaN(chosen.logprob) || chosen.lead < closest) return false
  if (generation.eos.has(chosen.id)) return finish(row, 'stop')
  tokens.push(chosen)
  ids.push(chosen.id)
  if (generation.stopped(ids)) return finish(row, 'stop')
  if (tokens.length >= generation.maxTokens) return finish(row, 'length')
  row.going = true
  return true
}

const finish = (row: Row, why: GeneratedTokens['finish']): false => {
  row.finish = why
  return false
}

/** Undefined where the signal was aborted: others of the batch go on. */
const readOrAbort = async (
  decoder: Decoder,
  generation: Generation,
): Promise<Awaited<ReturnType<typeof readPrompt>> | undefined> =>
  readPrompt(decoder, generation).catch((error: unknown) => {
    if (generation.signal.aborted) return undefined
    throw error
  })

const readPrompt = async (
  decoder: Decoder,
  { prompt, signal }: Pick<Generation, 'prompt' | 'signal'>,
): Promise<{ readonly logits: Float32Array; readonly cache: Cache }> => {
  let last: { readonly logits: Float32Array; readonly cache: Cache } | undefined
  for (let from = 0; from < prompt.length; from += CHUNK) {
    if (signal.aborted) throw aborted()
    const stepped = await decoder.step({
      ids: [prompt.slice(from, from + CHUNK)],
      padding: [0],
      ...(last === undefined ? {} : { cache: last.cache }),
    })
    last = { logits: stepped.logits[0] ?? new Float32Array(), cache: stepped.cache }
  }
  if (last === undefined) throw new TypeError('a prompt has no token')
  return last
}

/**
 * Largest difference that company and padding make to a row's logits; Infinity where it makes nonsense of them: some
 * exports can't mask tokens to the left.
 *
 * @param ids - a text of the model's, two tokens or more
 */
export const batchNoise = async (decoder: Decoder, ids: readonly number[]): Promise<number> => {
  const signal = new AbortController().signal
  const long = ids.slice(0, 24)
  const short = ids.slice(0, Math.max(1, Math.floor(long.length / 3)))
  const prompts = [long, short]
  const next = ids.at(-1) ?? 0
  const caches: Cache[] = []
  const alone: Float32Array[] = []
  for (const prompt of prompts) {
    const { cache } = await readPrompt(decoder, { prompt, signal })
    caches.push(cache)
    alone.push((await decoder.step({ ids: [[next]], padding: [0], cache })).logits[0] ?? new Float32Array())
  }
  const { logits } = await decoder.step({
    ids: [[next], [next]],
    padding: prompts.map(({ length }) => long.length - length),
    cache: mergeCaches(caches),
  })
  const differences = alone.map((expected, row) => largestDifference(expected, logits[row]))
  return Math.max(
    ...differences.map((difference) => (Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference)),
  )
}

const largestDifference = (a: Float32Array, b: Float32Array | undefined): number =>
  a.reduce((most, value, index) => Math.max(most, Math.abs(value - (b?.[index] ?? Number.NaN))), 0)
