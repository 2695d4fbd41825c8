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
const CASED: string = classSource(cased)
/** Python's `\s`, likewise; also what `strip` and `split` cut. */
export const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
/** Python's `\b` for a `u` regular expression, not to be put inside brackets. */
export const BOUNDARY = `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`

const isCased = (codePoint: number): boolean => findRange(cased, codePoint) >= 0
/** `str.isprintable` of one code point. */
export const isPrintable = (codePoint: number): boolean => findRange(nonPrintable, codePoint) < 0

/** 0 … 9 for a decimal digit of any script, otherwise undefined. */
export const digitValue = (codePoint: number): number | undefined => {
  const index = findRange(digits, codePoint)
  return index < 0 ? undefined : (codePoint - (digits[index * 2] ?? 0)) % 10
}

/** `str.isspace` of one UTF-16 unit; every white-space character of Python's is one unit. */
const isSpaceUnit = (unit: number): boolean => {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x1c && unit <= 0x1f)
  if (unit === 0x85 || unit === 0xa0) return true
  if (unit < 0x1680) return false
  return (
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000
  )
}

/** `str.isspace` of one character. Unlike JS, U+001C–001F and U+0085 are white space and U+FEFF is not. */
export const isSpace = (char: string): boolean => char.length === 1 && isSpaceUnit(char.charCodeAt(0))

/** `str.lstrip()`. */
export const lstrip = (s: string): string => {
  let start = 0
  while (start < s.length && isSpaceUnit(s.charCodeAt(start))) start++
  return s.slice(start)
}

/** `str.rstrip()`. */
export const rstrip = (s: string): string => {
  let end = s.length
  while (end > 0 && isSpaceUnit(s.charCodeAt(end - 1))) end--
  return s.slice(0, end)
}

/** `str.strip()`. */
export const strip = (s: string): string => rstrip(lstrip(s))

/** `str.split()`: words between runs of white space, none of them empty. */
export const split = (s: string): string[] => {
  const words: string[] = []
  let start = -1
  for (let index = 0; index < s.length; index++) {
    if (isSpaceUnit(s.charCodeAt(index))) {
      if (start >= 0) words.push(s.slice(start, index))
      start = -1
    } else if (start < 0) start = index
  }
  if (start >= 0) words.push(s.slice(start))
  return words
}

/** A text without such a character takes the fast way. */
const NON_ASCII = /[\x80-\uffff]/
const newerUpperCase = new RegExp(`[\\p{Changes_When_Lowercased}--[${CASED}]]`, 'v')

/** `str.lower()`. Letters that got a lower case after Unicode 14 stay as they are. */
export const lower = (s: string): string => {
  if (!NON_ASCII.test(s) || !newerUpperCase.test(s)) return s.toLowerCase()
  return s
    .split(new RegExp(`(${newerUpperCase.source})`, 'v'))
    .map((part) => (newerUpperCase.test(part) ? part : part.toLowerCase()))
    .join('')
}

/** `ß`, `և` and the ligatures: their first letter is raised alone. */
const ligature = /^[ß\u0587\ufb00-\ufb06\ufb13-\ufb17]$/
/** `ǆ`, `ǉ`, `ǌ`, `ǳ` in their three cases, each triple with the titled one in the middle. */
const digraphs = ['\u01c4\u01c5\u01c6', '\u01c7\u01c8\u01c9', '\u01ca\u01cb\u01cc', '\u01f1\u01f2\u01f3']

/** Python's full title-case mapping of one character, by its kind. */
const titleOf = (char: string): string => {
  const upper = char.toUpperCase()
  const digraph = digraphs.find((triple) => triple.includes(char))
  if (digraph !== undefined) return digraph.charAt(1)
  if (char >= '\u10d0' && char <= '\u10ff') return char
  if (ligature.test(char)) return upper.charAt(0) + upper.slice(1).toLowerCase()
  // Greek letters with an iota below keep it below, as one character with the letter unless a mark stands between.
  if (char >= '\u1f80' && char <= '\u1fff' && upper.length > 1 && upper.endsWith('\u0399')) {
    const titled = `${upper.slice(0, -1)}\u0345`
    return upper.length === 2 ? titled.normalize('NFC') : titled
  }
  // A letter that got its upper case after Unicode 14 keeps its form.
  return upper.length === char.length && !isCased(upper.codePointAt(0) ?? 0) ? char : upper
}

/** Lower case of a character within its text: only `Σ` looks at its neighbours. */
const lowerAt = (s: string, position: number, char: string): string =>
  char === 'Σ' ? lower(s).charAt(lower(s.slice(0, position)).length) : lower(char)

/** `str.title()`: a letter after a cased one is lowered, any other gets its title case. */
export const title = (s: string): string => {
  if (!NON_ASCII.test(s)) return s.toLowerCase().replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase())
  let result = ''
  let afterCased = false
  let position = 0
  for (const char of s) {
    result += afterCased ? lowerAt(s, position, char) : titleOf(char)
    afterCased = isCased(char.codePointAt(0) ?? 0)
    position += char.length
  }
  return result
}

/** Python's `len`: code points, not UTF-16 units. */
export const codePointLength = (s: string): number => {
  let length = s.length
  for (let index = 1; index < s.length; index++) {
    const unit = s.charCodeAt(index)
    if (unit < 0xdc00 || unit > 0xdfff) continue
    const before = s.charCodeAt(index - 1)
    if (before >= 0xd800 && before <= 0xdbff) length--
  }
  return length
}

/** Order of Python's `sorted` on strings: by code point, where JS compares UTF-16 units. */
export const compareCodePoints = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  let index = 0
  while (index < length && a.charCodeAt(index) === b.charCodeAt(index)) index++
  if (index === length) return a.length - b.length
  const before = index > 0 ? a.charCodeAt(index - 1) : 0
  const start = before >= 0xd800 && before <= 0xdbff ? index - 1 : index
  const difference = (a.codePointAt(start) ?? 0) - (b.codePointAt(start) ?? 0)
  // Equal high surrogates without a low one on either side: what follows them decides.
  return difference === 0 ? (a.codePointAt(index) ?? 0) - (b.codePointAt(index) ?? 0) : difference
}
