import type { PyValue } from './value.ts'
import { Float, MAX_INT_DIGITS, toInt, floatRepr, numberText } from './numbers/number.ts'
import { codePointLength } from './text.ts'

/**
 * `json.loads`: dicts are Maps in file order (a key met again keeps its place and takes the last value), `1.0` is a
 * Float, integers beyond 2^53 are bigint, bare `NaN` and `Infinity` are accepted.
 * @throws JsonError with Python's message
 */
export const loads = (text: string): PyValue => new JsonReader(text).read()

/**
 * `json.dumps` with ASCII escapes; `indent` 2 is how HELM writes its files, none gives `, ` and `: `. With a `depth` the
 * text is as it stands inside so many containers.
 */
export const dumps = (
  value: PyJson,
  { indent, depth }: { readonly indent?: number; readonly depth?: number } = {},
): string => new JsonWriter(indent, depth).write(value)

/** Nesting that CPython refuses with RecursionError. */
const MAX_DEPTH = 990

const constants = new Map<string, PyValue>([
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
])

const ESCAPED = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/** Reads one JSON text from left to right, with CPython's tolerance and its errors. */
class JsonReader {
  private readonly text: string
  private index = 0
  private depth = 0
  // Each reader has its own: sticky expressions carry their position.
  private readonly number = /(-?(?:0|[1-9]\d*))(\.\d+)?([eE][+-]?\d+)?/y
  /** What stands in a string for itself. */
  private readonly plain = /[ !#-[\]-\uffff]*/y
  private readonly constant = /null|true|false|NaN|-?Infinity/y

  constructor(text: string) {
    this.text = text
  }

  /** The text's one value. @throws JsonError */
  read(): PyValue {
    if (this.text.startsWith('\ufeff')) this.fail('Unexpected UTF-8 BOM (decode using utf-8-sig)', 0)
    this.skipSpace()
    const value = this.value()
    this.skipSpace()
    if (this.index !== this.text.length) this.fail('Extra data')
    return value
  }

  private fail(message: string, index = this.index): never {
    throw new JsonError(message, this.text, index)
  }

  private skipSpace(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.index)
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return
      this.index++
    }
  }

  private value(): PyValue {
    switch (this.text.charCodeAt(this.index)) {
      case 0x22:
        return this.string()
      case 0x7b:
        return this.nested(() => this.object())
      case 0x5b:
        return this.nested(() => this.array())
      default:
        return this.atom()
    }
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) this.fail('maximum recursion depth exceeded')
    this.index++
    this.skipSpace()
    const value = read()
    this.depth--
    return value
  }

  private object(): ReadonlyMap<string, PyValue> {
    const members = new Map<string, PyValue>()
    if (this.take('}')) return members
    for (;;) {
      if (this.text[this.index] !== '"') this.fail('Expecting property name enclosed in double quotes')
      const key = this.string()
      this.skipSpace()
      if (!this.take(':')) this.fail("Expecting ':' delimiter")
      this.skipSpace()
      members.set(key, this.value())
      this.skipSpace()
      if (this.take('}')) return members
      this.comma()
    }
  }

  private array(): readonly PyValue[] {
    const items: PyValue[] = []
    if (this.take(']')) return items
    for (;;) {
      items.push(this.value())
      this.skipSpace()
      if (this.take(']')) return items
      this.comma()
    }
  }

  private comma(): void {
    if (!this.take(',')) this.fail("Expecting ',' delimiter")
    this.skipSpace()
  }

  private take(char: string): boolean {
    if (this.text[this.index] !== char) return false
    this.index++
    return true
  }

  private string(): string {
    const begin = this.index++
    let result = ''
    for (;;) {
      this.plain.lastIndex = this.index
      this.plain.test(this.text)
      const end = this.plain.lastIndex
      const part = this.text.slice(this.index, end)
      this.index = end
      const unit = this.text.charCodeAt(end)
      if (unit === 0x22) {
        this.index++
        return result + part
      }
      if (unit === 0x5c) result += part + this.escape(begin)
      else if (Number.isNaN(unit)) this.fail('Unterminated string starting at', begin)
      else this.fail('Invalid control character at')
    }
  }

  private escape(begin: number): string {
    const char = this.text[this.index + 1]
    if (char === undefined) this.fail('Unterminated string starting at', begin)
    if (char === 'u') return this.unicodeEscape()
    const escaped = ESCAPED.get(char)
    if (escaped === undefined) this.fail('Invalid \\escape')
    this.index += 2
    return escaped
  }

  /** One UTF-16 unit: two ESCAPED of a surrogate pair join by themselves. */
  private unicodeEscape(): string {
    const hex = this.text.slice(this.index + 2, this.index + 6)
    // CPython asks for a character after the digits, too.
    if (!/^[\dA-Fa-f]{4}$/.test(hex) || this.index + 6 >= this.text.length) {
      this.fail('Invalid \\uXXXX escape', this.index + 1)
    }
    this.index += 6
    return String.fromCharCode(Number.parseInt(hex, 16))
  }

  private atom(): PyValue {
    this.constant.lastIndex = this.index
    const constant = this.constant.exec(this.text)?.[0]
    if (constant !== undefined) {
      this.index += constant.length
      return constants.get(constant) ?? null
    }
    this.number.lastIndex = this.index
    const match = this.number.exec(this.text)
    if (match === null) this.fail('Expecting value')
    const [all, digits = '', fraction, exponent] = match
    if (fraction === undefined && exponent === undefined) return this.integer(digits)
    this.index += all.length
    const float = Number(all)
    return Number.isInteger(float) ? new Float(float) : float
  }

  private integer(digits: string): number | bigint {
    if (digits.length - (digits.startsWith('-') ? 1 : 0) > MAX_INT_DIGITS) {
      this.fail(`Exceeds the limit (${MAX_INT_DIGITS} digits) for integer string conversion`)
    }
    this.index += digits.length
    return toInt(digits)
  }
}

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

/**
 * Python's JSONDecodeError. `message` is its `msg` to the letter: HELM's jury repairs a reply only when it is
 * `Expecting ',' delimiter`.
 */
export class JsonError extends Error {
  /** Offset in code points, from 0. */
  readonly position: number
  /** From 1. */
  readonly line: number
  /** In code points, from 1. */
  readonly column: number

  /** @param index offset in UTF-16 units */
  constructor(message: string, text: string, index: number) {
    super(message)
    this.name = 'JsonError'
    const before = text.slice(0, index)
    this.position = codePointLength(before)
    this.line = before.split('\n').length
    this.column = codePointLength(before.slice(before.lastIndexOf('\n') + 1)) + 1
  }
}
