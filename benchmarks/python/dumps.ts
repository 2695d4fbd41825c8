import { Float, floatRepr, numberText } from './numbers/number.ts'
import type { PyValue } from './value.ts'

/**
 * `json.dumps` with ASCII escapes; `indent` 2 is how HELM writes its files, none gives `, ` and `: `. With a `depth` the
 * text is as it stands inside so many containers.
 */
export const dumps = (
  value: PyJson,
  { indent, depth }: { readonly indent?: number; readonly depth?: number } = {},
): string => new JsonWriter(indent, depth).write(value)

/** What `dumps` prints: Python values, and plain objects for records with fixed field names. */
type PyJson = PyValue | PyRecord | readonly PyJson[] | ReadonlyMap<string, PyJson>
/** Fields in order of insertion; undefined ones are left out. Keys must not look like array indices: JS moves those. */
interface PyRecord {
  readonly [field: string]: PyJson | undefined
}

const unsafe = /[^ !#-[\]-~]/
const nonAscii = /[\x7f-\uffff]/g

/** Escapes met before, by UTF-16 unit: texts repeat their few foreign letters. */
const escapes: string[] = []
const escapeUnit = (char: string): string => {
  const unit = char.charCodeAt(0)
  return (escapes[unit] ??= `\\u${unit.toString(16).padStart(4, '0')}`)
}

/** A string as Python's JSON writes it. */
const quote = (text: string): string =>
  unsafe.test(text) ? JSON.stringify(text).replaceAll(nonAscii, escapeUnit) : `"${text}"`

/** Keys met before, as they stand in a dict: records of one kind repeat theirs. */
const names = new Map<string, string>()
const NAMES_KEPT = 1000

const named = (key: string): string => {
  const known = names.get(key)
  if (known !== undefined) return known
  const name = `${quote(key)}: `
  if (names.size < NAMES_KEPT) names.set(key, name)
  return name
}

const floatText = (x: number): string => {
  if (Number.isFinite(x)) return floatRepr(x)
  return Number.isNaN(x) ? 'NaN' : x > 0 ? 'Infinity' : '-Infinity'
}

const isList = (value: object): value is readonly PyJson[] => Array.isArray(value)
const isDict = (value: object): value is ReadonlyMap<string, PyJson> => value instanceof Map

/** The text of a dict where it was last written. */
interface Kept {
  readonly indent: string | undefined
  readonly newline: string
  readonly text: string
}

const kept = new WeakMap<object, Kept | 'not yet'>()

/** For a dict that is to be written many times at one depth: its text is made once. Nobody may change it afterwards. */
export const writtenOften = (value: PyValue): PyValue => {
  if (value instanceof Map) kept.set(value, 'not yet')
  return value
}

/** UTF-16 units gathered before they leave the JS heap: concatenating all of a large file would keep the collector busy. */
const CHUNK = 0x10000

/** Writes one value in the text of Python's `json.dumps`. */
class JsonWriter {
  private readonly indent: string | undefined
  private readonly separator: string
  private readonly chunks: Buffer[] = []
  private text = ''
  /** Line break and indentation of the innermost list or dict. */
  private newline: string

  /** @param depth of containers around the value, where it is indented */
  constructor(indent: number | undefined, depth = 0) {
    this.indent = indent === undefined ? undefined : ' '.repeat(indent)
    this.separator = indent === undefined ? ', ' : ','
    this.newline = this.indent === undefined ? '' : `\n${this.indent.repeat(depth)}`
  }

  write(value: PyJson): string {
    this.value(value)
    return this.whole()
  }

  private whole(): string {
    if (this.chunks.length === 0) return this.text
    this.flush()
    return Buffer.concat(this.chunks).toString('latin1')
  }

  private flush(): void {
    // The text is ASCII, one byte a character.
    this.chunks.push(Buffer.from(this.text, 'latin1'))
    this.text = ''
  }

  private value(value: PyJson): void {
    if (typeof value === 'object' && value !== null && !(value instanceof Float)) {
      if (isList(value)) this.list(value)
      else this.dict(value)
    } else this.text += scalar(value)
    if (this.text.length > CHUNK) this.flush()
  }

  private list(items: readonly PyJson[]): void {
    if (items.length === 0) {
      this.text += '[]'
      return
    }
    const outer = this.open('[')
    let before = this.newline
    // Not by iterators here and below: they make two objects an item, and much is written before V8 optimizes them away.
    for (let index = 0; index < items.length; index += 1) {
      this.text += before
      before = this.separator + this.newline
      this.value(items[index] as PyJson)
    }
    this.close(outer, ']')
  }

  private dict(dict: ReadonlyMap<string, PyJson> | PyRecord): void {
    const known = kept.get(dict)
    if (known === undefined) this.members(dict)
    else this.text += this.keptText(dict, known)
  }

  private keptText(dict: ReadonlyMap<string, PyJson> | PyRecord, known: Kept | 'not yet'): string {
    const { indent, newline } = this
    if (known !== 'not yet' && known.indent === indent && known.newline === newline) return known.text
    const writer = new JsonWriter(indent?.length)
    writer.newline = newline
    writer.members(dict)
    const text = writer.whole()
    kept.set(dict, { indent, newline, text })
    return text
  }

  private members(dict: ReadonlyMap<string, PyJson> | PyRecord): void {
    const outer = this.open('{')
    let before = this.newline
    const member = (item: PyJson | undefined, key: string): void => {
      if (item === undefined) return
      this.text += before + named(key)
      before = this.separator + this.newline
      this.value(item)
    }
    if (isDict(dict)) dict.forEach(member)
    else for (const key of Object.keys(dict)) member(dict[key], key)
    if (before === this.newline) {
      this.newline = outer
      this.text += '}'
    } else this.close(outer, '}')
  }

  /** Steps in; returns the line break to step out to. */
  private open(bracket: string): string {
    const outer = this.newline
    this.text += bracket
    if (this.indent !== undefined) this.newline += this.indent
    return outer
  }

  private close(outer: string, bracket: string): void {
    this.newline = outer
    this.text += outer + bracket
  }
}

const scalar = (value: null | boolean | number | bigint | string | Float): string => {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return Number.isInteger(value) ? numberText(value) : floatText(value)
  if (value instanceof Float) return floatText(value.value)
  return String(value)
}
