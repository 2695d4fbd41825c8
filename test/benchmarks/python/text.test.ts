import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  compareCodePoints,
  BOUNDARY,
  DIGIT,
  SPACE,
  WORD,
  digitValue,
} from '../../../benchmarks/python/text.ts'
import * as text from '../../../benchmarks/python/text.ts'
import { repr } from '../../../benchmarks/python/numbers/number.ts'
import { fixtureRows } from '../../rig/fixture.ts'
import { goldenNumbers, goldenRows } from './golden.ts'

/** Every code point but the surrogates. */
const chars = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
const digest = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex')

describe('over all of Unicode, as CPython 3.11 has it', () => {
  const [[row] = []] = fixtureRows('python/unicode.jsonl')
  const expected = row instanceof Map ? row : new Map<string, string>()
  const codePoint = (char: string): number => char.codePointAt(0) ?? 0

  it('lowers each character', () => {
    expect(digest(chars.map(text.lower))).toBe(expected.get('lower'))
  })
  it('titles each character, alone and after a cased letter', () => {
    expect(digest(chars.map(text.title))).toBe(expected.get('title'))
    expect(digest(chars.map((char) => text.title(`a${char}a`)))).toBe(expected.get('afterCased'))
  })
  it('prints each character as repr does', () => {
    expect(digest(chars.map((char) => repr(char)))).toBe(expected.get('repr'))
  })
  it('knows word characters, digits and white space', () => {
    const word = new RegExp(`^[${WORD}]$`, 'u')
    expect(digest(chars.filter((char) => word.test(char)))).toBe(expected.get('word'))
    const digits = chars.filter((char) => digitValue(codePoint(char)) !== undefined)
    expect(digest(digits.map((char) => char + digitValue(codePoint(char))))).toBe(expected.get('digit'))
    expect(digest(chars.filter(text.isSpace))).toBe(expected.get('space'))
  })
})

describe.skipIf(goldenNumbers === undefined)('on the reference texts', () => {
  const rows = goldenRows('str')
  it('equals str methods and regular expressions', () => {
    expect(rows).toHaveLength(91)
    for (const row of rows) {
      const s = String(row['s'])
      const spaces = new RegExp(`[${SPACE}]+`, 'u')
      const answers = {
        lower: text.lower(s),
        title: text.title(s),
        strip: text.strip(s),
        lstrip: text.lstrip(s),
        rstrip: text.rstrip(s),
        split: text.split(s),
        len: text.codePointLength(s),
        isspace: s !== '' && Array.from(s).every(text.isSpace),
        word: s.match(new RegExp(`[${WORD}]+`, 'gu')) ?? [],
        space: s.split(spaces),
        digits: s.match(new RegExp(`[${DIGIT}]+`, 'gu')) ?? [],
      }
      expect(row).toMatchObject(answers)
    }
  })
  it('sorts as sorted does', () => {
    for (const { input, result } of goldenRows('sorted')) {
      expect([...(input as string[])].sort(compareCodePoints)).toEqual(result)
    }
  })
})

describe('texts that JavaScript would treat otherwise', () => {
  it('cuts U+001C to U+001F and U+0085 but no byte order mark', () => {
    expect(text.strip('\x1c\x85 a \x1f')).toBe('a')
    expect(text.strip('\ufeffa')).toBe('\ufeffa')
    expect(text.split('a\x1db\u200bc')).toEqual(['a', 'b\u200bc'])
  })
  it('titles after everything that is no cased letter', () => {
    expect(text.title("PATIENT'S METHODS2b")).toBe("Patient'S Methods2B")
    expect(text.title('ǆ ß ΑΣ ΣΑ')).toBe('ǅ Ss Ας Σα')
  })
  it('counts half a pair before another character as one', () => {
    expect(['\ud83d\ude00', '\ud83d\uffff', '\ud83da', 'a\ude00'].map(text.codePointLength)).toEqual([
      1, 2, 2, 2,
    ])
  })
  it('lowers a capital that needs two code points', () => {
    expect(text.codePointLength(text.lower('İ'))).toBe(2)
  })
  it('orders astral characters after the rest and lone surrogates before', () => {
    const sorted = ['\u{1f600}', '\uffff', '\ud83d', '\ud83d\uffff', 'a'].sort(compareCodePoints)
    expect(sorted).toEqual(['a', '\ud83d', '\ud83d\uffff', '\uffff', '\u{1f600}'])
    expect(compareCodePoints('\u{1f600}', '\ud83d\uffff')).toBeGreaterThan(0)
    expect(compareCodePoints('ab', 'ab')).toBe(0)
    expect(compareCodePoints('\ud83da', '\ud83db')).toBeLessThan(0)
  })
  it('finds word boundaries beside letters that are not ASCII', () => {
    const article = new RegExp(`${BOUNDARY}(?:a|an|the)${BOUNDARY}`, 'gu')
    expect('aé a the2 the'.replaceAll(article, '_')).toBe('aé _ the2 _')
  })
})
