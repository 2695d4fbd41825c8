import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onnxFile, type Attribute, type Graph, type Node, type Weights } from './onnx-file.ts'

/** Sizes of the model; small, and no two alike that could be mixed up. */
const SIZE = {
  vocabulary: 260,
  hidden: 24,
  heads: 4,
  keyHeads: 2,
  head: 6,
  inner: 40,
  layers: 2,
  context: 256,
}
/** Ids 256 to 258 after the bytes. */
const SPECIAL = ['<|begin|>', '<|im_start|>', '<|im_end|>']
export const END = 258

const TEMPLATE =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"

/** Files that differ from the usual ones: JSON values are merged into them, null leaves one out. */
export interface TinyLlama {
  readonly seed?: number
  readonly config?: Readonly<Record<string, unknown>>
  readonly generation?: Readonly<Record<string, unknown>>
  readonly tokenizerConfig?: Readonly<Record<string, unknown>>
  readonly file?: string
}

/** Writes a folder with a random model of Llama's shape: rotary positions, grouped heads, a cache; tokens are bytes. */
export const writeTinyLlama = (folder: string, options: TinyLlama = {}): void => {
  const { seed = 1, config, generation, tokenizerConfig, file = 'onnx/model.onnx' } = options
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  const json = (name: string, value: unknown): void =>
    writeFileSync(join(folder, name), JSON.stringify(value))
  writeFileSync(join(folder, file), onnxFile(llama(seed)))
  json('tokenizer.json', TOKENIZER)
  json('tokenizer_config.json', {
    bos_token: '<|begin|>',
    eos_token: '<|im_end|>',
    model_max_length: SIZE.context,
    chat_template: TEMPLATE,
    ...tokenizerConfig,
  })
  json('config.json', {
    model_type: 'llama',
    eos_token_id: END,
    max_position_embeddings: SIZE.context,
    num_attention_heads: SIZE.heads,
    num_key_value_heads: SIZE.keyHeads,
    hidden_size: SIZE.hidden,
    head_dim: SIZE.head,
    ...config,
  })
  if (generation !== undefined) json('generation_config.json', generation)
}

/** GPT-2's letters for bytes: those that print stand for themselves. */
const LETTERS = ((): readonly string[] => {
  const prints = (byte: number): boolean => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
  let next = 256
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(prints(byte) ? byte : next++))
})()

const TOKENIZER = {
  version: '1.0',
  added_tokens: SPECIAL.map((content, index) => ({
    id: 256 + index,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
  post_processor: {
    type: 'TemplateProcessing',
    single: [{ SpecialToken: { id: '<|begin|>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
    pair: [],
    special_tokens: { '<|begin|>': { id: '<|begin|>', ids: [256], tokens: ['<|begin|>'] } },
  },
  decoder: { type: 'ByteLevel' },
  model: {
    type: 'BPE',
    vocab: Object.fromEntries([...LETTERS, ...SPECIAL].map((letter, id) => [letter, id])),
    merges: [],
  },
}

/** Nodes and weights as they are added. */
interface Builder {
  readonly nodes: Node[]
  readonly weights: Record<string, Weights>
  /** Adds a node with one output of that name. */
  readonly add: (
    op: string,
    inputs: readonly string[],
    output: string,
    attributes?: Readonly<Record<string, Attribute>>,
  ) => string
  readonly random: (name: string, ...dims: readonly number[]) => string
  readonly whole: (name: string, values: readonly number[], scalar?: boolean) => string
  readonly floats: (name: string, values: readonly number[], dims: readonly number[]) => string
}

const builder = (seed: number): Builder => {
  const nodes: Node[] = []
  const weights: Record<string, Weights> = {}
  let state = seed
  const uniform = (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32 - 0.5
  }
  const floats: Builder['floats'] = (name, values, dims) => {
    weights[name] = { dims, data: Float32Array.from(values) }
    return name
  }
  return {
    nodes,
    weights,
    add: (op, inputs, output, attributes = {}) => {
      nodes.push({ op, inputs, outputs: [output], attributes })
      return output
    },
    random: (name, ...dims) => {
      const count = dims.reduce((product, dim) => product * dim, 1)
      return floats(
        name,
        Array.from({ length: count }, () => uniform() * 1.6),
        dims,
      )
    },
    whole: (name, values, scalar = false) => {
      weights[name] = { dims: scalar ? [] : [values.length], data: BigInt64Array.from(values, BigInt) }
      return name
    },
    floats,
  }
}

const llama = (seed: number): Graph => {
  const build = builder(seed)
  const { add, whole, floats } = build
  const { vocabulary, hidden, keyHeads, head, layers, context } = SIZE
  build.random('embedding', vocabulary, hidden)
  for (const [name, value] of [
    ['zero', 0],
    ['one', 1],
  ] as const)
    whole(name, [value], true)
  whole('axis1', [1])
  whole('axes03', [0, 3])
  floats('epsilon', [1e-5], [])
  floats('two', [2], [])
  floats('hide', [-1e9], [])
  floats('show', [0], [])
  floats('scale', [1 / Math.sqrt(head)], [])
  const angles = Array.from({ length: context * 2 * head }, (_, index) => {
    const [position, column] = [Math.floor(index / head), index % head]
    return position / 10_000 ** ((2 * (column % (head / 2))) / head)
  })
  floats('cosines', angles.map(Math.cos), [context * 2, head])
  floats('sines', angles.map(Math.sin), [context * 2, head])
  for (const table of ['cosines', 'sines'])
    add('Unsqueeze', [add('Gather', [table, 'position_ids'], `${table}-at`), 'axis1'], `${table}-here`)
  addMask(build)
  let state = add('Gather', ['embedding', 'input_ids'], 'embedded')
  for (let layer = 0; layer < layers; layer += 1) state = addLayer(build, state, layer)
  add('Transpose', ['embedding'], 'unembedding', { perm: [1, 0] })
  add('MatMul', [addNorm(build, state, 'last'), 'unembedding'], 'logits')
  const past = (kind: string) =>
    Array.from({ length: layers }, (_, layer) => [`${kind}.${layer}.key`, `${kind}.${layer}.value`]).flat()
  const cacheShape = (length: string) => ['batch', keyHeads, length, head]
  return {
    nodes: build.nodes,
    weights: build.weights,
    inputs: [
      { name: 'input_ids', type: 'int64', shape: ['batch', 'sequence'] },
      { name: 'attention_mask', type: 'int64', shape: ['batch', 'total'] },
      { name: 'position_ids', type: 'int64', shape: ['batch', 'sequence'] },
      ...past('past_key_values').map((name) => ({
        name,
        type: 'float32' as const,
        shape: cacheShape('past'),
      })),
    ],
    outputs: [
      { name: 'logits', type: 'float32', shape: ['batch', 'sequence', vocabulary] },
      ...past('present').map((name) => ({ name, type: 'float32' as const, shape: cacheShape('total') })),
    ],
  }
}

/** What each new token may look at: nothing after it, nothing that the mask hides. */
const addMask = ({ add, whole }: Builder): void => {
  whole('axes01', [0, 1])
  whole('axes013', [0, 1, 3])
  whole('axes012', [0, 1, 2])
  whole('axes12', [1, 2])
  add('Gather', [add('Shape', ['attention_mask'], 'mask-shape'), 'one'], 'total')
  add('Gather', [add('Shape', ['input_ids'], 'ids-shape'), 'one'], 'new')
  add('Sub', ['total', 'new'], 'before')
  add('Unsqueeze', [add('Range', ['zero', 'total', 'one'], 'keys'), 'axes012'], 'key-places')
  add('Unsqueeze', [add('Range', ['before', 'total', 'one'], 'queries'), 'axes013'], 'query-places')
  add('LessOrEqual', ['key-places', 'query-places'], 'causal')
  add('Unsqueeze', [add('Equal', ['attention_mask', 'one'], 'unhidden'), 'axes12'], 'unhidden-places')
  add('And', ['causal', 'unhidden-places'], 'seen')
  add('Where', ['seen', 'show', 'hide'], 'bias')
}

const addNorm = ({ add, floats }: Builder, input: string, name: string): string => {
  floats(
    `${name}-gain`,
    Array.from({ length: SIZE.hidden }, () => 1),
    [SIZE.hidden],
  )
  const mean = add('ReduceMean', [add('Pow', [input, 'two'], `${name}-square`)], `${name}-mean`, {
    axes: [-1],
  })
  const root = add('Sqrt', [add('Add', [mean, 'epsilon'], `${name}-sum`)], `${name}-root`)
  return add('Mul', [add('Div', [input, root], `${name}-scaled`), `${name}-gain`], `${name}-norm`)
}

const addLayer = (build: Builder, input: string, layer: number): string => {
  const { add, random } = build
  const { hidden, inner } = SIZE
  const attended = addAttention(build, addNorm(build, input, `a${layer}`), layer)
  const state = add('Add', [input, attended], `state${layer}`)
  const norm = addNorm(build, state, `m${layer}`)
  const gate = add('MatMul', [norm, random(`gate${layer}`, hidden, inner)], `gated${layer}`)
  const up = add('MatMul', [norm, random(`up${layer}`, hidden, inner)], `raised${layer}`)
  const silu = add('Mul', [gate, add('Sigmoid', [gate], `sigmoid${layer}`)], `silu${layer}`)
  const mixed = add('Mul', [silu, up], `mixed${layer}`)
  const down = add('MatMul', [mixed, random(`down${layer}`, inner, hidden)], `lowered${layer}`)
  return add('Add', [state, down], `layer${layer}`)
}

const addAttention = (build: Builder, input: string, layer: number): string => {
  const { add, random, whole } = build
  const { hidden, heads, keyHeads, head } = SIZE
  const project = (kind: string, count: number): string => {
    const flat = add(
      'MatMul',
      [input, random(`${kind}${layer}`, hidden, count * head)],
      `${kind}-flat${layer}`,
    )
    const split = add(
      'Reshape',
      [flat, whole(`${kind}-shape${layer}`, [0, 0, count, head])],
      `${kind}-split${layer}`,
    )
    return add('Transpose', [split], `${kind}-heads${layer}`, { perm: [0, 2, 1, 3] })
  }
  const query = addRotation(build, project('q', heads), `q${layer}`)
  const newKey = addRotation(build, project('k', keyHeads), `k${layer}`)
  const newValue = project('v', keyHeads)
  const grown = (kind: string, fresh: string): string =>
    add('Concat', [`past_key_values.${layer}.${kind}`, fresh], `present.${layer}.${kind}`, { axis: 2 })
  // Query heads 0 and 1 share the first key, 2 and 3 the second.
  const sharing = whole(`sharing${layer}`, [0, 0, 1, 1])
  const shared = (kind: string, fresh: string): string =>
    add('Gather', [grown(kind, fresh), sharing], `${kind}-shared${layer}`, { axis: 1 })
  const keys = add('Transpose', [shared('key', newKey)], `keys${layer}`, { perm: [0, 1, 3, 2] })
  const scores = add('Mul', [add('MatMul', [query, keys], `raw${layer}`), 'scale'], `scores${layer}`)
  const weights = add('Softmax', [add('Add', [scores, 'bias'], `masked${layer}`)], `weights${layer}`, {
    axis: -1,
  })
  const read = add('MatMul', [weights, shared('value', newValue)], `read${layer}`)
  const back = add('Transpose', [read], `back${layer}`, { perm: [0, 2, 1, 3] })
  const joined = add('Reshape', [back, whole(`joined-shape${layer}`, [0, 0, heads * head])], `joined${layer}`)
  return add('MatMul', [joined, random(`o${layer}`, heads * head, hidden)], `attended${layer}`)
}

/** Rotary positions: x·cos + (−second half, first half)·sin. */
const addRotation = ({ nodes, add }: Builder, input: string, name: string): string => {
  const halves = [`${name}-first`, `${name}-second`]
  nodes.push({ op: 'Split', inputs: [input], outputs: halves, attributes: { axis: -1 } })
  const turned = add(
    'Concat',
    [add('Neg', [halves[1] ?? ''], `${name}-minus`), halves[0] ?? ''],
    `${name}-turned`,
    {
      axis: -1,
    },
  )
  return add(
    'Add',
    [add('Mul', [input, 'cosines-here'], `${name}-cos`), add('Mul', [turned, 'sines-here'], `${name}-sin`)],
    `${name}-rotated`,
  )
}
