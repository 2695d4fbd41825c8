import { isDict } from '../kinds.ts'
import { scaledHalfEven } from './exact.ts'
import { SPACE, digitValue, isPrintable } from '../text.ts'
import type { PyValue } from '../value.ts'

/** Longest decimal text that CPython turns into an int: `sys.get_int_max_str_digits()`. */
export const MAX_INT_DIGITS = 4300

/** Outer white space of a number. CPython's `int` and `float` refuse U+001C–001F, which `str.strip` cuts. */
const edges = ((space) => new RegExp(`^[${space}]+|[${space}]+$`, 'g'))(SPACE.replace('\\x1c-\\x20', '\\x20'))

/** The text with digits of every script as ASCII ones and outer white space cut, as CPython prepares a number. */
const asciiNumber = (text: string): string =>
  text.replaceAll(edges, '').replaceAll(/[\x80-\u{10ffff}]/gu, (char) => {
    const digit = digitValue(char.codePointAt(0) ?? 0)
    return digit === undefined ? char : String(digit)
  })

/** `int(text)`; undefined where Python raises ValueError. Integers beyond 2^53 are bigint. */
export const pyInt = (text: string): number | bigint | undefined => {
  const number = asciiNumber(text)
  if (!/^[+-]?\d+(?:_\d+)*$/.test(number)) return undefined
  const digits = number.replaceAll(/[+_-]/g, '')
  if (digits.length > MAX_INT_DIGITS) return undefined
  return toInt(number.startsWith('-') ? `-${digits}` : digits)
}

/** An integer's ASCII digits, with an optional minus, as number or, beyond 2^53, as bigint. */
export const toInt = (digits: string): number | bigint => {
  const small = Number(digits)
  if (Number.isSafeInteger(small)) return small === 0 ? 0 : small
  return BigInt(digits)
}

const special = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
])

const run = String.raw`\d+(?:_\d+)*`
const floatPattern = new RegExp(`^[+-]?(?:${run}(?:\\.(?:${run})?)?|\\.${run})(?:[eE][+-]?${run})?$`)

/** `float(text)`; undefined where Python raises ValueError. */
export const pyFloat = (text: string): number | undefined => {
  const number = asciiNumber(text)
  const word = special.get(number.replace(/^[+-]/, '').toLowerCase())
  if (word !== undefined) return number.startsWith('-') ? -word : word
  return floatPattern.test(number) ? Number(number.replaceAll('_', '')) : undefined
}

/** `repr` of a float: shortest digits that read back the same, `1.0`, `1e-05`, `1e+16`, `nan`, `inf`. */
export const floatRepr = (x: number): string => {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x > 0 ? 'inf' : '-inf'
  const magnitude = Math.abs(x)
  if (magnitude === 0) return Object.is(x, -0) ? '-0.0' : '0.0'
  if (magnitude < 1e-4 || magnitude >= 1e16) return x.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
  return Number.isInteger(x) ? `${x}.0` : String(x)
}

/** A whole number as a float, which prints as `5.0`. */
export const asFloat = (value: PyValue): PyValue => {
  if (typeof value === 'bigint') return float(Number(value))
  return typeof value === 'number' && Number.isInteger(value) ? float(value) : value
}

/**
 * `round(x, digits)` of a float: half-even on the exact binary value. NaN and the infinities stay as they are.
 * @param digits decimal places, negative for tens, hundreds, …
 */
export const roundHalfEven = (x: number, digits = 0): number => {
  // Beyond these bounds every double is its own rounding, or rounds to zero.
  if (!Number.isFinite(x) || x === 0 || digits > 323) return x
  if (digits < -308) return x < 0 ? -0 : 0
  const rounded = Number(`${scaledHalfEven(x, digits)}e${-digits}`)
  return x < 0 ? -rounded : rounded
}

/** `str(value)`. */
export const str = (value: PyValue): string => (typeof value === 'string' ? value : repr(value))

/** `repr(value)`. */
export const repr = (value: PyValue): string => {
  if (value === null) return 'None'
  if (typeof value === 'string') return stringRepr(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number') return numberText(value)
  if (value instanceof Float) return floatRepr(value.value)
  if (isDict(value)) return `{${[...value].map(([key, item]) => `${repr(key)}: ${repr(item)}`).join(', ')}}`
  return `[${value.map(repr).join(', ')}]`
}

/** A plain JS number in Python's text: an int when whole, otherwise a float. */
export const numberText = (x: number): string => {
  if (!Number.isInteger(x)) return floatRepr(x)
  // Beyond 2^53 JS writes the shortest digits that read back the same, Python all of them.
  return Number.isSafeInteger(x) ? String(x) : BigInt(x).toString()
}

const named = new Map([
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
])

const escapeChar = (char: string): string => {
  const escape = named.get(char)
  const codePoint = char.codePointAt(0) ?? 0
  if (escape !== undefined) return escape
  if (isPrintable(codePoint)) return char
  const hex = codePoint.toString(16)
  if (codePoint < 0x100) return `\\x${hex.padStart(2, '0')}`
  return codePoint < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

/** In `'`, or in `"` where the text holds `'` and no `"`. */
const stringRepr = (text: string): string => {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = /^[ !#-&(-[\]-~]*$/.test(text) ? text : Array.from(text, escapeChar).join('')
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote
}

/**
 * A number that Python holds as a float even when it is whole: prints as `1.0`, not `1`.
 * Plain JS numbers stand for Python ints when whole, for floats otherwise.
 */
export class Float {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }

  toJSON(): number {
    return this.value
  }
}

/** A number of JSON with the digits that its file has. */
export class WrittenNumber extends Float {
  readonly text: string

  constructor(text: string) {
    super(Number(text))
    this.text = text
  }
}

export const float = (value: number): Float => new Float(value)

/** The plain number behind either form. */
export const numberOf = (value: number | Float): number => (value instanceof Float ? value.value : value)

/** `str(Decimal)` of `digits` × 10^-`scale`: plain down to a millionth, else with an exponent (PEP 327's rules). */
export const decimalText = (digits: bigint, scale: number): string => {
  const sign = digits < 0n ? '-' : ''
  const text = String(digits < 0n ? -digits : digits)
  const exponent = text.length - 1 - scale
  if (scale < 0 || exponent < -6) {
    const fraction = text.length > 1 ? `.${text.slice(1)}` : ''
    return `${sign}${text[0] ?? ''}${fraction}E${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
  }
  if (scale === 0) return sign + text
  const padded = text.padStart(scale + 1, '0')
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`
}
