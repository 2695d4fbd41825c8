import { formatMagnitude } from '../numbers/format-number.ts'
import { Float, str } from '../numbers/number.ts'
import { codePointLength } from '../text.ts'
import type { PyValue } from '../value.ts'

/** A format specification in its parts (Python's format mini-language); empty strings where a part is left out. */
interface Spec {
  readonly fill: string
  readonly align: string
  readonly sign: string
  /** `z`: no minus before a zero. */
  readonly plainZero: boolean
  readonly alternate: boolean
  readonly zero: boolean
  readonly width: number
  readonly grouping: string
  readonly precision: number | undefined
  readonly type: string
}

const pattern =
  /^(?:(?<fill>[^])?(?<align>[<>=^]))?(?<sign>[ +-])?(?<z>z)?(?<alternate>#)?(?<zero>0)?(?<width>\d{1,6})?(?<grouping>[,_])?(?:\.(?<precision>\d{1,6}))?(?<type>[^])?$/u

/** Undefined where Python raises ValueError, and for a width of more than six digits, surely a slip. */
const parse = (spec: string): Spec | undefined => {
  const groups = pattern.exec(spec)?.groups
  if (groups === undefined) return undefined
  const {
    fill,
    align = '',
    sign = '',
    z,
    alternate,
    zero,
    width,
    grouping = '',
    precision,
    type = '',
  } = groups
  return {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align,
    sign,
    plainZero: z !== undefined,
    alternate: alternate !== undefined,
    zero: zero !== undefined,
    width: Number(width ?? 0),
    grouping,
    precision: precision === undefined ? undefined : Number(precision),
    type,
  }
}

const pad = (text: string, spec: Spec, align: string): string => {
  const missing = Math.max(spec.width - codePointLength(text), 0)
  const left = align === '<' ? 0 : align === '^' ? missing >> 1 : missing
  return spec.fill.repeat(left) + text + spec.fill.repeat(missing - left)
}

const formatText = (text: string, spec: Spec): string | undefined => {
  const { sign, alternate, plainZero, grouping, type, align, precision } = spec
  const numeric = sign !== '' || alternate || plainZero || grouping !== '' || align === '='
  if (numeric || (type !== '' && type !== 's')) return undefined
  const cut = precision === undefined ? text : Array.from(text).slice(0, precision).join('')
  return pad(cut, spec, align === '' ? '<' : align)
}

/** Separators put between groups of digits, counted from the end. */
const group = (digits: string, separator: string, size: number): string =>
  separator === '' ? digits : digits.replaceAll(new RegExp(`(?<=.)(?=(?:.{${size}})+$)`, 'g'), separator)

/** Sign, prefix, digits with separators and what follows them, filled up to the width. */
const assemble = (head: string, digits: string, tail: string, size: number, spec: Spec): string => {
  const align = spec.align === '' ? (spec.zero ? '=' : '>') : spec.align
  // `inf` and `nan` have no digits to group.
  const separator = digits === '' ? '' : spec.grouping
  let grouped = group(digits, separator, size)
  if (align !== '=') return pad(head + grouped + tail, spec, align)
  if (spec.fill === '0') {
    // Zeros before the digits are grouped with them, which may make the text one wider than asked for.
    const room = spec.width - head.length - tail.length
    for (let padded = digits; grouped.length < room; grouped = group(padded, separator, size))
      padded = `0${padded}`
    return head + grouped + tail
  }
  return head + pad(grouped + tail, { ...spec, width: spec.width - head.length }, '>')
}

const signOf = (negative: boolean, spec: Spec): string =>
  negative ? '-' : spec.sign === '-' ? '' : spec.sign

const formatFloat = (x: number, spec: Spec): string | undefined => {
  if (!['', 'e', 'E', 'f', 'F', 'g', 'G', 'n', '%'].includes(spec.type)) return undefined
  if (spec.type === 'n' && spec.grouping !== '') return undefined
  const text = formatMagnitude(x, spec)
  const [digits = ''] = /^\d*/.exec(text) ?? []
  const zero = spec.plainZero && !/[1-9]/.test(text.replace(/e.*/i, ''))
  const negative = (x < 0 || Object.is(x, -0)) && !(zero && Number.isFinite(x))
  return assemble(signOf(negative, spec), digits, text.slice(digits.length), 3, spec)
}

const bases = new Map([
  ['b', 2],
  ['o', 8],
  ['x', 16],
  ['X', 16],
])

const formatInt = (value: bigint, spec: Spec): string | undefined => {
  if ('eEfFgG%'.includes(spec.type) && spec.type !== '') return formatFloat(Number(value), spec)
  if (spec.precision !== undefined || spec.plainZero) return undefined
  if (spec.type === 'c') return formatChar(value, spec)
  const base = bases.get(spec.type)
  if (base === undefined && !['', 'd', 'n'].includes(spec.type)) return undefined
  if (spec.grouping !== '' && (spec.type === 'n' || (base !== undefined && spec.grouping === ',')))
    return undefined
  const magnitude = (value < 0n ? -value : value).toString(base ?? 10)
  const prefix = base !== undefined && spec.alternate ? `0${spec.type}` : ''
  const digits = spec.type === 'X' ? magnitude.toUpperCase() : magnitude
  return assemble(signOf(value < 0n, spec) + prefix, digits, '', base === undefined ? 3 : 4, spec)
}

const formatChar = (value: bigint, spec: Spec): string | undefined => {
  if (spec.sign !== '' || spec.alternate || spec.grouping !== '' || value < 0n || value > 0x10ffffn)
    return undefined
  const align = spec.align === '' ? '>' : spec.align
  return pad(String.fromCodePoint(Number(value)), spec, align)
}

/** Python's `format(value, spec)`; undefined where it raises ValueError or TypeError. */
export const formatValue = (value: PyValue, spec: string): string | undefined => {
  if (spec === '') return str(value)
  const parsed = parse(spec)
  if (parsed === undefined) return undefined
  if (typeof value === 'string') return formatText(value, parsed)
  if (typeof value === 'boolean') return formatInt(value ? 1n : 0n, parsed)
  if (typeof value === 'bigint') return formatInt(value, parsed)
  if (value instanceof Float) return formatFloat(value.value, parsed)
  if (typeof value !== 'number') return undefined
  return Number.isInteger(value) ? formatInt(BigInt(value), parsed) : formatFloat(value, parsed)
}
