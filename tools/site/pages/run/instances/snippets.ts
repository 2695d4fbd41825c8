import { asciiJson, chunkOfJson } from '../../../emit/chunk-script.ts'
import type { PageShard } from '../shards.ts'

/** Key of the chunk with the snippets of a thousand rows. */
export const snippetKey = (row: number): string => `s${Math.floor(row / SNIPPET_ROWS)}`

/** Rows of a chunk. */
export const SNIPPET_ROWS = 1000
/** Prompts that tell what all begin with. */
const SAMPLE = 50
/** UTF-16 units of a snippet, and those of a prompt that are looked at for it. */
const LENGTH = 96
const LOOKED_AT = 160
/** UTF-16 units that all prompts may share at their start. */
const LONGEST_START = 100_000

/** How the prompts of a run go on after what all begin with, in the order of the rows. */
export class SnippetWriter {
  private sample: string[] = []
  private start: string | undefined
  private snippets: string[] = []
  private chunks = 0

  /** @returns a chunk, if it is full */
  add(prompt: string): PageShard | undefined {
    if (this.start === undefined) {
      this.sample.push(prompt)
      if (this.sample.length < SAMPLE) return undefined
      this.fixStart()
    } else this.snippets.push(snippetOf(prompt, this.start))
    return this.snippets.length < SNIPPET_ROWS ? undefined : this.take()
  }

  /** The last chunk, unless there is nothing left. */
  end(): PageShard | undefined {
    if (this.start === undefined) this.fixStart()
    return this.snippets.length === 0 ? undefined : this.take()
  }

  private fixStart(): void {
    const [first = '', ...others] = this.sample
    const length = others.reduce(
      (shared, prompt) => sharedLength(first, prompt, shared),
      others.length === 0 ? 0 : Math.min(first.length, LONGEST_START),
    )
    // Not in the middle of a word, nor behind the bracket or quotation mark that opens before it.
    const start = first.slice(0, length).replace(/[\p{Ps}\p{Pi}"'\p{L}\p{N}]+$/u, '')
    this.start = start
    this.snippets = this.sample.map((prompt) => snippetOf(prompt, start))
    this.sample = []
  }

  private take(): PageShard {
    const key = `s${this.chunks}`
    this.chunks += 1
    const script = chunkOfJson(key, asciiJson(this.snippets))
    this.snippets = []
    return { key, script }
  }
}

const sharedLength = (a: string, b: string, most: number): number => {
  let length = 0
  while (length < most && length < b.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1
  return length
}

const snippetOf = (prompt: string, start: string): string => {
  const shared = sharedLength(start, prompt, start.length)
  const text = prompt
    .slice(shared, shared + LOOKED_AT)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text.length <= LENGTH ? text : `${text.slice(0, LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
