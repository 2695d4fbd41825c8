import { digestOf } from '../../../../cache/values/digest.ts'
import { asciiJson, chunkOfJson, chunkScript } from '../../emit/chunk-script.ts'
import { pageKey, type StoredView } from './instances/instance-page.ts'
import type { InstanceView, ShownText } from './instances/instance-view.ts'
import { OutcomeWriter } from './outcomes.ts'
import { SnippetWriter } from './instances/snippets.ts'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { END_OF_ROW, textsKey } from './text-block.ts'

/** A script file of a run's page. */
export interface PageShard {
  /** Also the file's name, without `.js`. */
  readonly key: string
  readonly script: string
}

/** Instances of a page at most, and bytes after which it ends: a reader wants twenty or so at a time. */
const PAGE_INSTANCES = 50
const PAGE_BYTES = 96 * 1024
/** Bytes for what a page holds besides its instances. */
const FRAME = 100
/** UTF-16 units that stay with the instance; each takes at most six bytes in a script. */
const HEAD = 4000
const LEAST_HEAD = 100
/** UTF-16 units of a further chunk. */
const REST = 40_000
/** UTF-16 units of what is no text: an id, a score. */
const LONGEST_NAME = 200

/**
 * Cuts a run's instances into script files, holding one page in memory: pages (`p0`, `p1`, …), the rest of long texts
 * (`x0`, …), snippets of the prompts (`s0`, …), what a search
 * looks through (`t0`, …) and the index of outcomes (`i0`, …), each before whatever leads to it.
 *
 * @param mainMetric the metric whose values the index tells
 */
export async function* shardsOf(
  instances: AsyncIterable<InstanceView<string>> | Iterable<InstanceView<string>>,
  mainMetric: string,
): AsyncGenerator<PageShard> {
  const cutter = new Cutter()
  const outcomes = new OutcomeWriter(mainMetric)
  const snippets = new SnippetWriter()
  const texts = new SearchedTextWriter()
  let page = new PageWriter()
  let pages = 0
  const flush = function* (): Generator<PageShard> {
    const key = pageKey(pages)
    yield { key, script: chunkOfJson(key, page.json()) }
    const index = outcomes.endPage(page.size)
    if (index !== undefined) yield index
    pages += 1
    page = new PageWriter()
  }
  for await (const whole of instances) {
    const instance = { ...whole, id: shortName(whole.id) }
    const cut = cutInstance(instance, cutter)
    for (const chunk of cutter.take()) yield chunk
    if (!page.takes(cut)) {
      yield* flush()
      page.takes(cut)
    }
    outcomes.add(instance)
    const full = [snippets.add(whole.prompt), await texts.add(cut)]
    for (const shard of full) if (shard !== undefined) yield shard
  }
  if (page.size > 0) yield* flush()
  for (const shard of [snippets.end(), await texts.end()]) if (shard !== undefined) yield shard
  yield outcomes.end(texts.count)
}

/** A page while it fills. Each instance is put into JSON once. */
class PageWriter {
  private readonly names = new Map<string, number>()
  private readonly parts: string[] = []
  private bytes = FRAME

  get size(): number {
    return this.parts.length
  }

  /** False leaves the instance out: the page is full. An empty page takes any. */
  takes({ metrics, ...view }: InstanceView): boolean {
    if (this.size === PAGE_INSTANCES) return false
    const fresh = metrics.filter(([name]) => !this.names.has(name))
    for (const [name] of fresh) this.names.set(name, this.names.size)
    const values: (number | null)[] = Array.from({ length: this.names.size }, () => null)
    for (const [name, value] of metrics) values[this.names.get(name) ?? 0] = value
    const stored: StoredView = { ...view, values }
    const part = asciiJson(stored)
    const more = part.length + 1 + fresh.reduce((sum, [name]) => sum + asciiJson(name).length + 1, 0)
    if (this.size > 0 && this.bytes + more > PAGE_BYTES) {
      for (const [name] of fresh) this.names.delete(name)
      return false
    }
    this.bytes += more
    this.parts.push(part)
    return true
  }

  json(): string {
    return `{"metrics":${asciiJson([...this.names.keys()])},"instances":[${this.parts.join(',')}]}`
  }
}

/** Takes the ends off long texts and numbers the chunks they go to. */
class Cutter {
  private chunks: PageShard[] = []
  private count = 0
  private budget = 0

  /** What an instance may keep of its texts, all together; a run of many references must not swell its page. */
  begin(): void {
    this.budget = HEAD * 4
  }

  cut(text: string): ShownText {
    const head = wholeCharacters(text, Math.min(HEAD, this.budget))
    this.budget = Math.max(LEAST_HEAD, this.budget - text.length)
    if (text.length <= head) return text
    const rest: string[] = []
    for (let from = head; from < text.length; from += REST) {
      const key = `x${this.count}`
      this.count += 1
      rest.push(key)
      this.chunks.push({ key, script: chunkScript(key, text.slice(from, from + REST)) })
    }
    return { head: text.slice(0, head), length: text.length, rest }
  }

  take(): readonly PageShard[] {
    const taken = this.chunks
    this.chunks = []
    return taken
  }
}

/** `length`, or one less where that would cut a character in two. */
const wholeCharacters = (text: string, length: number): number =>
  length < text.length && /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length

/** What is too long for a name keeps its start and gets a digest: two that differ still do. */
const shortName = (name: string): string =>
  name.length <= LONGEST_NAME
    ? name
    : `${name.slice(0, wholeCharacters(name, LONGEST_NAME - 20))}… ${digestOf<'text'>(name).slice(0, 16)}`

const cutInstance = (whole: InstanceView<string>, cutter: Cutter): InstanceView => {
  cutter.begin()
  const { completions, mapped, error, thinking, references, prompt, judges, judgePrompt, annotations } = whole
  return {
    ...whole,
    ...(error === undefined ? {} : { error: cutter.cut(error) }),
    completions: completions.map((text) => cutter.cut(text)),
    ...(mapped === undefined ? {} : { mapped: cutter.cut(mapped) }),
    prompt: cutter.cut(prompt),
    references: references.map(({ text, correct }) => ({ text: cutter.cut(text), correct })),
    judges: judges.map(({ name, scores }) => ({
      name,
      scores: scores.map(({ criterion, score, explanation }) => ({
        criterion: shortName(criterion),
        score: shortName(score),
        explanation: cutter.cut(explanation),
      })),
    })),
    ...(thinking === undefined ? {} : { thinking: cutter.cut(thinking) }),
    ...(judgePrompt === undefined ? {} : { judgePrompt: cutter.cut(judgePrompt) }),
    annotations: annotations.map(({ name, json }) => ({ name, json: cutter.cut(json) })),
  }
}

const deflate = promisify(deflateRaw)

/** UTF-16 units of a block before it is compressed: a search reads all blocks, so that few and large ones are best. */
const BLOCK = 2_000_000
/** The least that still halves a text several times. */
const LEVEL = 1

/** Gathers what a search looks through: ids and the starts of all texts, without letters' case, compressed. */
class SearchedTextWriter {
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
