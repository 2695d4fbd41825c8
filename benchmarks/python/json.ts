import type { PyValue } from './value.ts'
import { Float, MAX_INT_DIGITS, toInt, WrittenNumber } from './numbers/number.ts'
import { codePointLength } from './text.ts'

/**
 * `json.loads`: dicts are Maps in file order (a key met again keeps its place and takes the last value), `1.0` is a
 * Float, integers beyond 2^53 are bigint, bare `NaN` and `Infinity` are accepted.
 * @param asWritten refuses such a key, as no program of HELM's does, and keeps the digits of numbers: `1.50`
 * @throws JsonError with Python's message
 */
export const loads = (text: string, asWritten = false): PyValue => new JsonReader(text, asWritten).read()

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
  private readonly asWritten: boolean
  private index = 0
  private depth = 0
  // Each reader has its own: sticky expressions carry their position.
  private readonly number = /(-?(?:0|[1-9]\d*))(\.\d+)?([eE][+-]?\d+)?/y
  /** What stands in a string for itself. */
  private readonly plain = /[ !#-[\]-\uffff]*/y
  private readonly constant = /null|true|false|NaN|-?Infinity/y

  constructor(text: string, asWritten: boolean) {
    this.text = text
    this.asWritten = asWritten
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
      const begin = this.index
      const key = this.string()
      if (this.asWritten && members.has(key)) this.fail('a key is given twice', begin)
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
    if (!/^[\dA-Fa-f]{4}$/.test(hex) || this.index + 6 >= this.text.length)
      this.fail('Invalid \\uXXXX escape', this.index + 1)
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
    if (this.asWritten) {
      this.index += all.length
      return new WrittenNumber(all)
    }
    if (fraction === undefined && exponent === undefined) return this.integer(digits)
    this.index += all.length
    const float = Number(all)
    return Number.isInteger(float) ? new Float(float) : float
  }

  private integer(digits: string): number | bigint {
    if (digits.length - (digits.startsWith('-') ? 1 : 0) > MAX_INT_DIGITS)
      this.fail(`Exceeds the limit (${MAX_INT_DIGITS} digits) for integer string conversion`)
    this.index += digits.length
    return toInt(digits)
  }
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
