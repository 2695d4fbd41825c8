/** Writes ONNX files (onnx.proto3): as much of the format as small models of our own need. */

export type Attribute = number | string | readonly number[]

export interface Node {
  readonly op: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /** Whole numbers are written as ints, others as floats. */
  readonly attributes?: Readonly<Record<string, Attribute>>
}

export interface Weights {
  readonly dims: readonly number[]
  readonly data: Float32Array | BigInt64Array
}

/** A text in place of a number stands for a size that is open. */
export interface Value {
  readonly name: string
  readonly type: 'float32' | 'int64'
  readonly shape: readonly (number | string)[]
}

export interface Graph {
  readonly nodes: readonly Node[]
  readonly weights: Readonly<Record<string, Weights>>
  readonly inputs: readonly Value[]
  readonly outputs: readonly Value[]
}

const TYPES = { float32: 1, int64: 7 } as const

/** A model of opset 17. */
export const onnxFile = (graph: Graph): Uint8Array =>
  Buffer.concat([number(1, 8), message(8, [text(1, ''), number(2, 17)]), message(7, graphParts(graph))])

const graphParts = ({ nodes, weights, inputs, outputs }: Graph): readonly Buffer[] => [
  ...nodes.map((node, index) => message(1, nodeParts(node, index))),
  text(2, 'graph'),
  ...Object.entries(weights).map(([name, each]) => message(5, weightParts(name, each))),
  ...inputs.map((value) => message(11, valueParts(value))),
  ...outputs.map((value) => message(12, valueParts(value))),
]

const nodeParts = ({ op, inputs, outputs, attributes = {} }: Node, index: number): readonly Buffer[] => [
  ...inputs.map((name) => text(1, name)),
  ...outputs.map((name) => text(2, name)),
  text(3, `${op}-${index}`),
  text(4, op),
  ...Object.entries(attributes).map(([name, value]) => message(5, [text(1, name), ...attributeParts(value)])),
]

const attributeParts = (value: Attribute): readonly Buffer[] => {
  if (typeof value === 'string') return [text(4, value), number(20, 3)]
  if (typeof value !== 'number') return [...value.map((each) => number(8, each)), number(20, 7)]
  return Number.isInteger(value) ? [number(3, value), number(20, 2)] : [float(2, value), number(20, 1)]
}

const weightParts = (name: string, { dims, data }: Weights): readonly Buffer[] => [
  ...dims.map((dim) => number(1, dim)),
  number(2, data instanceof Float32Array ? TYPES.float32 : TYPES.int64),
  text(8, name),
  bytes(9, Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
]

const valueParts = ({ name, type, shape }: Value): readonly Buffer[] => [
  text(1, name),
  message(2, [
    message(1, [
      number(1, TYPES[type]),
      message(
        2,
        shape.map((size) => message(1, [typeof size === 'number' ? number(1, size) : text(2, size)])),
      ),
    ]),
  ]),
]

const varint = (value: number): Buffer => {
  const parts: number[] = []
  let left = BigInt.asUintN(64, BigInt(value))
  while (left > 0x7fn) {
    parts.push(Number(left & 0x7fn) | 0x80)
    left >>= 7n
  }
  return Buffer.from([...parts, Number(left)])
}

const tag = (field: number, wire: number): Buffer => varint(field * 8 + wire)
const number = (field: number, value: number): Buffer => Buffer.concat([tag(field, 0), varint(value)])
const bytes = (field: number, value: Buffer): Buffer =>
  Buffer.concat([tag(field, 2), varint(value.length), value])
const text = (field: number, value: string): Buffer => bytes(field, Buffer.from(value))
const message = (field: number, parts: readonly Buffer[]): Buffer => bytes(field, Buffer.concat(parts))
const float = (field: number, value: number): Buffer => {
  const four = Buffer.alloc(4)
  four.writeFloatLE(value)
  return Buffer.concat([tag(field, 5), four])
}
