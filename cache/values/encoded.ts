import type { Json, JsonObject } from './json.ts'
import type { StoreTable } from '../store.ts'

/** What JSON.stringify would quietly turn into something else; undefined where it keeps the value. */
const unfit = (value: Json): string | undefined => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value)
  if (typeof value !== 'object') return typeof value
  if (Array.isArray(value)) return undefined
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null ? undefined : 'a class instance'
}

/** @throws TypeError that names where in the value the misfit lies */
const refuse = (value: Json, path: string): void => {
  const what = unfit(value)
  if (what !== undefined) throw new TypeError(`a stored value must be JSON: ${what} at ${path}`)
  if (value === null || typeof value !== 'object') return
  if (Array.isArray(value))
    for (const [index, item] of (value as readonly Json[]).entries()) refuse(item, `${path}[${index}]`)
  else for (const [key, item] of Object.entries(value)) refuse(item, `${path}.${key}`)
}

/** Of a value and all within it: whether JSON holds it, and whether a -0 is inside. */
interface Found {
  isJson: boolean
  hasNegativeZero: boolean
}

const inspect = (value: Json, found: Found): void => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return
  if (value === 0) found.hasNegativeZero ||= Object.is(value, -0)
  else if (unfit(value) !== undefined) found.isJson = false
  else if (Array.isArray(value))
    for (let index = 0; index < value.length; index += 1) inspect(value[index] as Json, found)
  else if (typeof value === 'object') {
    const names = Object.keys(value)
    for (let index = 0; index < names.length; index += 1)
      inspect((value as JsonObject)[names[index] as string] as Json, found)
  }
}

/** JSON.stringify, but it keeps the sign of -0. */
const withNegativeZero = (value: Json): string => {
  if (Object.is(value, -0)) return '-0'
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(withNegativeZero).join(',')}]`
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}:${withNegativeZero(item)}`,
  )
  return `{${members.join(',')}}`
}

/**
 * JSON text of a value, such that parsing it gives the value back exactly, the sign of -0 included.
 * @throws TypeError for NaN, infinities, undefined, functions and class instances.
 */
export const encodeJson = (value: Json): string => {
  const found: Found = { isJson: true, hasNegativeZero: false }
  inspect(value, found)
  if (!found.isJson) refuse(value, 'value')
  return found.hasNegativeZero ? withNegativeZero(value) : JSON.stringify(value)
}

/** A value as it lies in a log: nobody need parse it, or hold the key of a sealed one, to take it elsewhere. */
export interface RawValue {
  readonly table: StoreTable
  readonly id: string
  /** JSON text, UTF-8; valid until the next one is asked for. */
  readonly payload: Buffer
}

/**
 * What stores of several machines share: what was paid for. All else is made again from it at no call, and batches that
 * are open belong to the store that sent them. Payments first: a kill then leaves no reply that is in no sum.
 */
export const SHARED = ['ledger', 'completions'] as const satisfies readonly StoreTable[]

export const isShared = (table: StoreTable): boolean => (SHARED as readonly StoreTable[]).includes(table)

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
