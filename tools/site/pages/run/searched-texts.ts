import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { asciiJson, chunkOfJson } from '../../emit/chunk-script.ts'
import { END_OF_ROW, textsKey } from './text-block.ts'
import type { InstanceView, ShownText } from './instances/instance-view.ts'
import type { PageShard } from './shards.ts'

const deflate = promisify(deflateRaw)

/** UTF-16 units of a block before it is compressed: a search reads all blocks, so that few and large ones are best. */
const BLOCK = 2_000_000
/** The least that still halves a text several times. */
const LEVEL = 1

/** Gathers what a search looks through: ids and the starts of all texts, without letters' case, compressed. */
export class SearchedTextWriter {
  private rows: string[] = []
  private length = 0
  private blocks = 0

  get count(): number {
    return this.blocks
  }

  /** @param instance with its texts cut @returns a block, if it is full */
  async add(instance: InstanceView): Promise<PageShard | undefined> {
    const text = textsOf(instance).map(startOf).join('\n').replaceAll(END_OF_ROW, ' ').toLowerCase()
    this.rows.push(text)
    this.length += text.length
    return this.length < BLOCK ? undefined : this.take()
  }

  /** The last block, unless there is nothing left. */
  async end(): Promise<PageShard | undefined> {
    return this.rows.length === 0 ? undefined : this.take()
  }

  private async take(): Promise<PageShard> {
    const key = textsKey(this.blocks)
    this.blocks += 1
    const text = this.rows.join(END_OF_ROW)
    this.rows = []
    this.length = 0
    const packed = await deflate(Buffer.from(text, 'utf8'), { level: LEVEL })
    return { key, script: chunkOfJson(key, asciiJson(packed.toString('base64'))) }
  }
}

const startOf = (text: ShownText): string => (typeof text === 'string' ? text : text.head)

const textsOf = (instance: InstanceView): readonly ShownText[] => [
  instance.id,
  instance.prompt,
  ...instance.completions,
  ...instance.references.map(({ text }) => text),
  ...[instance.mapped, instance.error, instance.thinking].filter((text) => text !== undefined),
  ...instance.judges.flatMap(({ scores }) => scores.map(({ explanation }) => explanation)),
]
