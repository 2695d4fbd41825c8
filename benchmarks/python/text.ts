import { CASED, isCased } from './unicode.ts'

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
  if (!NON_ASCII.test(s)) {
    return s.toLowerCase().replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase())
  }
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
