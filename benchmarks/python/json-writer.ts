import { Float } from './numbers/float.ts'
import { floatRepr, numberText } from './numbers/number.ts'
import type { PyValue } from './value.ts'

/** What `dumps` prints: Python values, and plain objects for records with fixed field names. */
export type PyJson = PyValue | PyRecord | readonly PyJson[] | ReadonlyMap<string, PyJson>
/** Fields in order of insertion; undefined ones are left out. Keys must not look like array indices: JS moves those. */
export interface PyRecord {
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

const floatText = (x: number): string => {
  if (Number.isFinite(x)) return floatRepr(x)
  return Number.isNaN(x) ? 'NaN' : x > 0 ? 'Infinity' : '-Infinity'
}

const isList = (value: object): value is readonly PyJson[] => Array.isArray(value)
const isDict = (value: object): value is ReadonlyMap<string, PyJson> => value instanceof Map

/** UTF-16 units gathered before they leave the JS heap: concatenating all of a large file would keep the collector busy. */
const CHUNK = 0x10000

/** Writes one value in the text of Python's `json.dumps`. */
export class JsonWriter {
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
    let first = true
    for (const item of items) {
      this.text += first ? this.newline : this.separator + this.newline
      first = false
      this.value(item)
    }
    this.close(outer, ']')
  }

  private dict(dict: ReadonlyMap<string, PyJson> | PyRecord): void {
    const outer = this.open('{')
    let first = true
    for (const [key, item] of isDict(dict) ? dict : Object.entries(dict)) {
      if (item === undefined) continue
      this.text += `${first ? this.newline : this.separator + this.newline}${quote(key)}: `
      first = false
      this.value(item)
    }
    if (first) {
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
