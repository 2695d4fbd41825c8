import { chunkScript } from '../../chunk-script.ts'
import type { InstanceView, ShownText } from './instance-view.ts'
import { pageKey } from './page-key.ts'

/** A script file of a run's page. */
export interface Shard {
  /** Also the file's name, without `.js`. */
  readonly key: string
  readonly script: string
}

/** Largest script, in bytes. */
export const SHARD_BYTES = 256 * 1024
/** Instances of a page: as many as one reads in a go. */
const PAGE_INSTANCES = 20
/** UTF-16 units that stay with the instance; each takes at most six bytes in a script. */
const HEAD = 4000
const LEAST_HEAD = 100
/** UTF-16 units of a further chunk. */
const REST = 40_000

/**
 * Cuts a run's instances into script files, pages and the rest of long texts, in order, holding one page in memory.
 * A page has the key `p0`, `p1`, …, its chunks of long texts `x0`, `x1`, …
 */
export async function* shardsOf(
  instances: AsyncIterable<InstanceView<string>> | Iterable<InstanceView<string>>,
): AsyncGenerator<Shard> {
  const cutter = new Cutter()
  let page: InstanceView[] = []
  let bytes = 0
  let pages = 0
  const flush = (): Shard => {
    const key = pageKey(pages)
    const shard = { key, script: chunkScript(key, page) }
    pages += 1
    page = []
    bytes = 0
    return shard
  }
  for await (const instance of instances) {
    const cut = cutInstance(instance, cutter)
    yield* cutter.take()
    const size = chunkScript('', cut).length
    if (page.length === PAGE_INSTANCES || (page.length > 0 && bytes + size > SHARD_BYTES - 100)) yield flush()
    page.push(cut)
    bytes += size
  }
  if (page.length > 0) yield flush()
}

/** Takes the ends off long texts and numbers the chunks they go to. */
class Cutter {
  private chunks: Shard[] = []
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

  take(): readonly Shard[] {
    const taken = this.chunks
    this.chunks = []
    return taken
  }
}

/** `length`, or one less where that would cut a character in two. */
const wholeCharacters = (text: string, length: number): number =>
  length < text.length && /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length

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
      scores: scores.map((score) => ({ ...score, explanation: cutter.cut(score.explanation) })),
    })),
    ...(thinking === undefined ? {} : { thinking: cutter.cut(thinking) }),
    ...(judgePrompt === undefined ? {} : { judgePrompt: cutter.cut(judgePrompt) }),
    annotations: annotations.map(({ name, json }) => ({ name, json: cutter.cut(json) })),
  }
}
