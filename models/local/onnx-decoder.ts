import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { ProblemError, reasonOf } from '../../cache/problems/problem.ts'
import { ClientError } from '../calls/client.ts'
import {
  type Decoder,
  type Step,
  type Stepped,
  floatsOfHalves,
  type Cache,
  type KeyValues,
  type Numbers,
} from './decoder.ts'
import { int64Table, loadOnnxRuntime, openOnnx, type OnnxLibrary, type OnnxOptions } from '../onnx-runtime.ts'

interface DecoderOptions extends OnnxOptions {
  /** config.json: tells the cache's shape where the graph leaves it open. */
  readonly config: Readonly<Record<string, unknown>>
}

/** Form of one cache input. */
interface CacheInput {
  readonly type: 'float32' | 'float16'
  readonly heads: number
  readonly size: number
}

/** Inputs besides the cache that exports of decoders have. */
const KNOWN = new Set([
  'input_ids',
  'attention_mask',
  'position_ids',
  'use_cache_branch',
  'num_logits_to_keep',
])
const PAST = 'past_key_values.'

/**
 * Opens a decoder as optimum exports it with `text-generation-with-past`.
 * @throws ProblemError `models/local-graph`, `models/no-onnxruntime`
 */
export const openOnnxDecoder = async (model: string, options: DecoderOptions): Promise<Decoder> => {
  const runtime = await loadOnnxRuntime()
  const session = await opened(runtime, model, options)
  const inputs = cacheInputs(session, model, options.config)
  return {
    step: async (step) => {
      const feeds = { ...plainFeeds(runtime, session, step), ...cacheFeeds(runtime, inputs, step) }
      try {
        return steppedOf(await session.run(feeds), step, inputs)
      } catch (cause) {
        if (cause instanceof TypeError) throw cause
        throw new ClientError('local/run', `onnxruntime failed: ${reasonOf(cause)}`, {
          retriable: false,
          cause,
        })
      }
    },
    close: () => session.release(),
  }
}

const opened = async (
  runtime: OnnxLibrary,
  model: string,
  options: DecoderOptions,
): Promise<InferenceSession> => {
  const { device } = options
  try {
    return await openOnnx(runtime, model, options)
  } catch (cause) {
    throw unusable(
      model,
      `onnxruntime can't open it${device === 'auto' ? '' : ` on ${device}`}: ${reasonOf(cause)}`,
      device === 'cuda'
        ? 'Install CUDA for onnxruntime, or write device: cpu into args.'
        : 'Fetch or export the model again.',
    )
  }
}

const cacheInputs = (
  session: InferenceSession,
  model: string,
  config: DecoderOptions['config'],
): ReadonlyMap<string, CacheInput> => {
  const inputs = new Map<string, CacheInput>()
  for (const value of session.inputMetadata) {
    if (KNOWN.has(value.name)) continue
    const type = value.isTensor ? value.type : undefined
    const shape = value.isTensor ? value.shape : []
    if (!value.name.startsWith(PAST) || (type !== 'float32' && type !== 'float16'))
      throw unusable(model, `it wants the input ${value.name}`, EXPORT)
    const heads = sizeOf(shape[1], config['num_key_value_heads'] ?? config['num_attention_heads'])
    const size = sizeOf(shape[3], config['head_dim'] ?? headSize(config))
    if (heads === undefined || size === undefined)
      throw unusable(model, `neither it nor config.json tells the shape of ${value.name}`, EXPORT)
    inputs.set(value.name, { type, heads, size })
  }
  if (inputs.size === 0) throw unusable(model, `it has no inputs ${PAST}*`, EXPORT)
  return inputs
}

const EXPORT = 'Export it with a cache: optimum-cli export onnx --task text-generation-with-past.'

const sizeOf = (told: number | string | undefined, otherwise: unknown): number | undefined =>
  typeof told === 'number' && told > 0 ? told : typeof otherwise === 'number' ? otherwise : undefined

const headSize = (config: DecoderOptions['config']): number =>
  Number(config['hidden_size']) / Number(config['num_attention_heads'])

const pastLength = ({ cache }: Step): number => cache?.values().next().value?.length ?? 0

const plainFeeds = (
  runtime: OnnxLibrary,
  { inputNames }: InferenceSession,
  step: Step,
): Record<string, Tensor> => {
  const { ids, padding } = step
  const past = pastLength(step)
  const length = ids[0]?.length ?? 0
  const int64 = (columns: number, fill: (row: number, column: number) => number): Tensor =>
    int64Table(runtime, [ids.length, columns], fill)
  const feeds: Record<string, () => Tensor> = {
    input_ids: () => int64(length, (row, column) => ids[row]?.[column] ?? 0),
    attention_mask: () => int64(past + length, (row, column) => (column < (padding[row] ?? 0) ? 0 : 1)),
    position_ids: () => int64(length, (row, column) => past + column - (padding[row] ?? 0)),
    use_cache_branch: () => new runtime.Tensor('bool', [past > 0], [1]),
    num_logits_to_keep: () => new runtime.Tensor('int64', [1n], []),
  }
  return Object.fromEntries(
    Object.entries(feeds).flatMap(([name, make]) => (inputNames.includes(name) ? [[name, make()]] : [])),
  )
}

const cacheFeeds = (
  runtime: OnnxLibrary,
  inputs: ReadonlyMap<string, CacheInput>,
  { ids, cache }: Step,
): Record<string, Tensor> =>
  Object.fromEntries(
    [...inputs].map(([name, { type, heads, size }]) => {
      const { data, length } = cache?.get(name) ?? { data: emptyOf(type), length: 0 }
      return [name, new runtime.Tensor(type, data as Float32Array, [ids.length, heads, length, size])]
    }),
  )

const emptyOf = (type: CacheInput['type']): Numbers =>
  type === 'float32' ? new Float32Array(0) : new Uint16Array(0)

const steppedOf = (
  outputs: InferenceSession.OnnxValueMapType,
  { ids }: Step,
  inputs: ReadonlyMap<string, CacheInput>,
): Stepped => {
  const tensor = (name: string): Tensor => {
    const found = outputs[name]
    if (found === undefined || !('dims' in found)) throw new TypeError(`the model gave no ${name}`)
    return found
  }
  const { data, dims } = tensor('logits')
  const [, positions = 1, vocabulary = 0] = dims
  const logits = ids.map((_, row) => {
    const end = (row + 1) * positions * vocabulary
    return floatsOf(numbersOf(data).subarray(end - vocabulary, end))
  })
  const cache: Cache = new Map(
    [...inputs.keys()].map((name): [string, KeyValues] => {
      const present = tensor(name.replace(PAST, 'present.'))
      const [, heads = 0, length = 0, size = 0] = present.dims
      return [name, { data: numbersOf(present.data), heads, length, size }]
    }),
  )
  return { logits, cache }
}

/** float16 comes as its bits, or as the Float16Array that newer runtimes have. */
const numbersOf = (data: Tensor['data']): Numbers => {
  if (data instanceof Float32Array || data instanceof Uint16Array) return data as Numbers
  if (ArrayBuffer.isView(data) && data.constructor.name === 'Float16Array')
    return new Uint16Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength / 2)
  throw new TypeError('the model gives neither float32 nor float16')
}

const floatsOf = (data: Numbers): Float32Array =>
  data instanceof Float32Array ? data.slice() : floatsOfHalves(data)

const unusable = (file: string, why: string, remedy: string): ProblemError =>
  new ProblemError({
    code: 'models/local-graph',
    message: `the local model can't be used: ${why}`,
    where: { file },
    remedy,
  })
