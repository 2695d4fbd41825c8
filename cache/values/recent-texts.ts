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

interface RecentText {
  readonly table: StoreTable
  readonly text: string
}

/** JSON texts of values that this process stored of late, so that they need not be read from disk. */
export class RecentTexts {
  /** By id, which hardly ever stands in two tables. */
  #newer = new Map<string, RecentText>()
  #older = new Map<string, RecentText>()
  /** Of the newer ones. */
  #size = 0

  get(table: StoreTable, id: string): string | undefined {
    if (!READ_AGAIN.has(table)) return undefined
    const found = this.#newer.get(id) ?? this.#older.get(id)
    return found?.table === table ? found.text : undefined
  }

  /** Where half the room is full, what was stored before that half goes at once: looking for the oldest takes longer each time. */
  add(table: StoreTable, id: string, text: string): void {
    if (!READ_AGAIN.has(table)) return
    this.#newer.set(id, { table, text })
    this.#size += text.length + FRAME
    if (this.#size <= ROOM / 2) return
    this.#older = this.#newer
    this.#newer = new Map()
    this.#size = 0
  }

  remove(id: string): void {
    this.#newer.delete(id)
    this.#older.delete(id)
  }
}
