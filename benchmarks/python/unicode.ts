import { CASED_RANGES, DIGIT_RANGES, NON_PRINTABLE_RANGES, WORD_RANGES } from './unicode-tables.ts'

/** Sorted first and last code points, in turn. */
type Ranges = Uint32Array

const unpack = (packed: string): Ranges => {
  const entries = packed.split(' ')
  const ranges = new Uint32Array(entries.length * 2)
  let next = 0
  entries.forEach((entry, index) => {
    const [gap = '', extra = '0'] = entry.split('.')
    const first = next + Number.parseInt(gap, 36)
    const last = first + Number.parseInt(extra, 36)
    ranges[index * 2] = first
    ranges[index * 2 + 1] = last
    next = last + 1
  })
  return ranges
}

/** Index of the range that holds the code point, or -1. */
const findRange = (ranges: Ranges, codePoint: number): number => {
  let low = 0
  let high = ranges.length / 2 - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (codePoint < (ranges[middle * 2] ?? 0)) high = middle - 1
    else if (codePoint > (ranges[middle * 2 + 1] ?? 0)) low = middle + 1
    else return middle
  }
  return -1
}

const hex = (codePoint: number): string => `\\u{${codePoint.toString(16)}}`

/** The ranges as the inside of a regular expression's brackets; needs the flag `u` or `v`. */
const classSource = (ranges: Ranges): string => {
  let source = ''
  for (let index = 0; index < ranges.length; index += 2) {
    source += `${hex(ranges[index] ?? 0)}-${hex(ranges[index + 1] ?? 0)}`
  }
  return source
}

const digits = unpack(DIGIT_RANGES)
const cased = unpack(CASED_RANGES)
const nonPrintable = unpack(NON_PRINTABLE_RANGES)

/** Python's `\w`, to be put inside brackets of a `u` regular expression: `[${WORD}]`. */
export const WORD: string = classSource(unpack(WORD_RANGES))
/** Python's `\d`, likewise. */
export const DIGIT: string = classSource(digits)
/** Letters that `str.title` and the final sigma look at, likewise. */
export const CASED: string = classSource(cased)
/** Python's `\s`, likewise; also what `strip` and `split` cut. */
export const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
/** Python's `\b` for a `u` regular expression, not to be put inside brackets. */
export const BOUNDARY = `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`

export const isCased = (codePoint: number): boolean => findRange(cased, codePoint) >= 0
/** `str.isprintable` of one code point. */
export const isPrintable = (codePoint: number): boolean => findRange(nonPrintable, codePoint) < 0

/** 0 … 9 for a decimal digit of any script, otherwise undefined. */
export const digitValue = (codePoint: number): number | undefined => {
  const index = findRange(digits, codePoint)
  return index < 0 ? undefined : (codePoint - (digits[index * 2] ?? 0)) % 10
}
