import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { float } from '../../../../benchmarks/python/numbers/number.ts'
import {
  f1Score,
  normalizeText,
  normalizeTextKeepingArticles,
  exactMatch,
  exactMatchIndicator,
  finalNumberExactMatch,
  prefixExactMatch,
  quasiExactMatch,
  quasiLeaveArticlesExactMatch,
  quasiPrefixExactMatch,
  quasiPrefixOrLetterMatch,
} from '../../../../targets/metrics/text/string-match.ts'
import type { Score } from '../../../../targets/metrics/metric.ts'
import { shared } from '../../../rig/shared.ts'
import { goldenLines, textOf } from '../golden-lines.ts'

const MATCHES = {
  em: exactMatch,
  qem: quasiExactMatch,
  pem: prefixExactMatch,
  qpem: quasiPrefixExactMatch,
  qlem: quasiLeaveArticlesExactMatch,
  emi: exactMatchIndicator,
  fnem: finalNumberExactMatch,
}

describe('matching texts', () => {
  it('normalises case, punctuation, articles and blanks away', () => {
    expect(normalizeText('  The “Flu”, an\tILLNESS! ')).toBe('“flu” illness')
    expect(normalizeText('the\u00e9 a-b')).toBe('the\u00e9 ab')
    // Python's re.sub leaves a blank for an article between signs.
    expect(normalizeText('pain…a…fever')).toBe('pain… …fever')
    expect(normalizeTextKeepingArticles('A, b')).toBe('a b')
  })

  it.each([
    ['Yes.', 'yes, indeed', 1],
    ['Yes.', 'no', 0],
    // Nothing is left of a letter that is an article but with its articles.
    ['A', 'a) aspirin', 1],
    ['A', 'B', 0],
    ['A', 'the B', 0],
    // Nor of a sign, which is then held as it is written.
    ['+', ' +', 1],
    ['+', '-', 0],
    ['+', 'positive', 0],
  ])('holds %j against %j by what is left of it, or else by its letter', (gold, answer, matched) => {
    expect(quasiPrefixOrLetterMatch(gold, answer)).toBe(matched)
  })

  it('lets no empty and no missing answer match', () => {
    for (const match of Object.values(MATCHES)) expect([match('', ''), match('x', undefined)]).toEqual([0, 0])
  })

  it('takes every answer for a prefix match of the letter A, since A is an article', () => {
    expect(quasiPrefixExactMatch('A', 'B')).toBe(1)
  })

  it('compares the last words and the last numbers', () => {
    expect(exactMatchIndicator('B', 'The answer is B')).toBe(1)
    expect(finalNumberExactMatch('1,200', 'from 3.5 to 1200 mg')).toBe(1)
    expect(finalNumberExactMatch('1,200,000', '1200000')).toBe(1)
    expect(finalNumberExactMatch('none', 'none')).toBe(0)
  })

  it('matches a text with itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        const matches = [exactMatch, quasiExactMatch, prefixExactMatch, quasiPrefixExactMatch]
        expect(matches.map((match) => match(text, text))).toEqual([1, 1, 1, 1])
      }),
    )
  })
})

describe('the F1 score', () => {
  it('compares sets of words', () => {
    expect(f1Score('rest and fluids', 'Fluids, fluids, rest!')).toEqual({ value: 0.8, float: true })
  })

  it('is the int 0 without a shared word and the float 0 when a side is empty', () => {
    expect(f1Score('rest', 'fluids')).toEqual({ value: 0, float: false })
    expect(f1Score('the', 'fluids')).toEqual({ value: 0, float: true })
  })
})

const python = ({ value, float: isFloat }: Score): unknown =>
  isFloat && Number.isInteger(value) ? float(value) : value

it.skipIf(shared('golden/metrics') === undefined)('string metrics equal HELM’s on all golden pairs', () => {
  const rows = goldenLines('strings.jsonl')
  expect(rows).toHaveLength(2022)
  for (const row of rows) {
    const [gold, answer] = [textOf(row, 'gold'), textOf(row, 'pred')]
    const got = {
      ng: normalizeText(gold),
      np: normalizeText(answer),
      ngl: normalizeTextKeepingArticles(gold),
      f1: python(f1Score(gold, answer)),
      ...Object.fromEntries(Object.entries(MATCHES).map(([name, match]) => [name, match(gold, answer)])),
    }
    expect(got).toEqual(Object.fromEntries(Object.keys(got).map((name) => [name, row.get(name)])))
  }
})
