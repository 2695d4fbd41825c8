import { scaledHalfEven } from './exact.ts'
import { floatRepr } from './number.ts'

/** Options of a float's text: `precision` is undefined where none was given, `alternate` is `#`. */
interface FloatFormat {
  readonly type: string
  readonly precision: number | undefined
  readonly alternate: boolean
}

/** Significant digits of a positive number and the power of ten of the first one. */
const significant = (x: number, count: number): { readonly digits: string; readonly exponent: number } => {
  if (x === 0) return { digits: '0'.repeat(count), exponent: 0 }
  const estimate = Number(x.toExponential().split('e')[1])
  // The shortest digits may lie above the exact value: 1e23 is a little less than 10^23.
  const lower = scaledHalfEven(x, count - estimate).toString()
  if (lower.length === count) return { digits: lower, exponent: estimate - 1 }
  const digits = scaledHalfEven(x, count - 1 - estimate).toString()
  // 9.99 to two digits is 10, one digit more.
  return { digits: digits.slice(0, count), exponent: estimate + digits.length - count }
}

const withPoint = (digits: string, whole: number, alternate: boolean): string => {
  const fraction = digits.slice(whole)
  return digits.slice(0, whole) + (fraction !== '' || alternate ? `.${fraction}` : '')
}

const fixed = (x: number, precision: number, alternate: boolean): string => {
  const digits = scaledHalfEven(x, precision)
    .toString()
    .padStart(precision + 1, '0')
  return withPoint(digits, digits.length - precision, alternate)
}

const exponentText = (exponent: number): string =>
  `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`

const scientific = (x: number, precision: number, alternate: boolean): string => {
  const { digits, exponent } = significant(x, precision + 1)
  return withPoint(digits, 1, alternate) + exponentText(exponent)
}

/** C's `%g`; `dotZero` keeps `.0` as Python does where no type is given. */
const general = (x: number, precision: number, alternate: boolean, dotZero: boolean): string => {
  const count = Math.max(precision, 1)
  const { digits, exponent } = significant(x, count)
  const kept = alternate ? digits : digits.replace(/(?<=.)0+$/, '')
  if (exponent < -4 || exponent >= count - (dotZero ? 1 : 0))
    return withPoint(kept, 1, alternate) + exponentText(exponent)
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${kept}`
  const text = withPoint(kept.padEnd(exponent + 1, '0'), exponent + 1, alternate)
  return dotZero && !text.includes('.') ? `${text}.0` : text
}

/** `repr`, with a point before its exponent, too, where `#` asks for one: `1.e+22`. */
const shortest = (x: number, alternate: boolean): string =>
  alternate ? floatRepr(x).replace(/^(\d+)e/, '$1.e') : floatRepr(x)

/** Text of a float's magnitude for one of `e`, `E`, `f`, `F`, `g`, `G`, `n`, `%` or no type. */
export const formatMagnitude = (value: number, { type, precision, alternate }: FloatFormat): string => {
  const x = Math.abs(value)
  const kind = type.toLowerCase()
  let text: string
  if (kind === '%') text = formatPercent(x, precision ?? 6, alternate)
  else if (!Number.isFinite(x)) text = floatRepr(x)
  else if (kind === 'e') text = scientific(x, precision ?? 6, alternate)
  else if (kind === 'f') text = fixed(x, precision ?? 6, alternate)
  else if (kind === 'g' || kind === 'n') text = general(x, precision ?? 6, alternate, false)
  else if (precision === undefined) text = shortest(x, alternate)
  else text = general(x, precision, alternate, true)
  return type === kind ? text : text.toUpperCase()
}

const formatPercent = (x: number, precision: number, alternate: boolean): string => {
  const percent = x * 100
  return `${Number.isFinite(percent) ? fixed(percent, precision, alternate) : floatRepr(percent)}%`
}
