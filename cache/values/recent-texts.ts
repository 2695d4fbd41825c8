import type { StoreTable } from '../store.ts'

/** What is read again soon after it was written, and never changes under its id: a run's files are made of it. */
const READ_AGAIN: ReadonlySet<StoreTable> = new Set([
  'instances',
  'prompts',
  'completions',
  'annotations',
  'metrics',
])
/** Characters: a run of 1,000 questions with abstracts has 5 million. */
const ROOM = 8_000_000
/** What a text takes beside its own characters: its id, and its place here. */
const FRAME = 160

/** JSON texts of values that this process stored of late, so that they need not be read from disk. */
export class RecentTexts {
  /** By id, which hardly ever stands in two tables. */
  readonly #texts = new Map<string, { readonly table: StoreTable; readonly text: string }>()
  #size = 0

  get(table: StoreTable, id: string): string | undefined {
    if (!READ_AGAIN.has(table)) return undefined
    const found = this.#texts.get(id)
    return found?.table === table ? found.text : undefined
  }

  /** The oldest make room for it. */
  add(table: StoreTable, id: string, text: string): void {
    if (!READ_AGAIN.has(table)) return
    this.remove(id)
    this.#texts.set(id, { table, text })
    this.#size += text.length + FRAME
    for (const oldest of this.#texts.keys()) {
      if (this.#size <= ROOM) return
      this.remove(oldest)
    }
  }

  remove(id: string): void {
    const found = this.#texts.get(id)
    if (found === undefined) return
    this.#size -= found.text.length + FRAME
    this.#texts.delete(id)
  }
}
