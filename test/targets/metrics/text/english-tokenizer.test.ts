import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenizeEnglish } from '../../../../targets/metrics/text/english-tokenizer.ts'
import rules from '../../../../targets/metrics/text/spacy-english.json' with { type: 'json' }
import { shared } from '../../../rig/shared.ts'
import { goldenLines, textOf } from '../golden-lines.ts'

describe('English tokens', () => {
  it.each([
    ["I can't, won't.", ['I', 'ca', "n't", ',', 'wo', "n't", '.']],
    ['5mg/kg (i.v.)', ['5mg', '/', 'kg', '(', 'i.v', '.', ')']],
    ['See http://a.org/x. Ok', ['See', 'http://a.org/x', '.', 'Ok']],
    ['dash–range 3-4 co-payment', ['dash', '–', 'range', '3', '-', '4', 'co', '-', 'payment']],
    [' two  blanks\n\nlines ', [' ', 'two', ' ', 'blanks', '\n\n', 'lines']],
    ['one--two...three', ['one', '--', 'two', '...', 'three']],
    // A fixed word is left alone as soon as what stands before it is off.
    ['(a.m.', ['(', 'a.m.']],
    ['', []],
  ])('of %j', (text, tokens) => expect(tokenizeEnglish(text)).toEqual(tokens))

  it('takes no word of ASCII letters apart by a rule: each rule asks for a sign or a digit', () => {
    const named = Object.values(rules).flatMap((rule) => String(rule).match(/[A-Za-z]+/g) ?? [])
    const words = [...new Set(named.flatMap((word) => [word, `${word}km`, `USD${word}`, word.toLowerCase()]))]
    expect(words.length).toBeGreaterThan(1000)
    for (const source of [rules.prefix, rules.suffix, rules.infix])
      expect(words.filter((word) => new RegExp(source, 'u').test(word))).toEqual([])
  })

  it('puts a smiley together again that the rules took apart', () => {
    expect(tokenizeEnglish('fine:)')).toEqual(['fine', ':)'])
    // The longest of those that overlap, though another begins before it.
    expect(tokenizeEnglish('numb(:(((')).toEqual(['numb', '(', ':((('])
  })

  it('lets a refused smiley keep its characters, as spaCy does', () => {
    expect(tokenizeEnglish('—µg(:(:')).toEqual(['—', 'µg', '(:', '(', ':'])
    expect(tokenizeEnglish('numb: (:leg')).toEqual(['numb', ':', '(', ':', 'leg'])
  })

  it('lose no character but single blanks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const blanks = / /g
        expect(tokenizeEnglish(text).join('').replaceAll(blanks, '')).toBe(text.replaceAll(blanks, ''))
      }),
    )
  })

  it.skipIf(shared('golden/metrics') === undefined)('are spaCy’s on all golden texts', () => {
    const rows = goldenLines('spacy-tokens.jsonl')
    expect(rows).toHaveLength(1254)
    for (const row of rows) expect(tokenizeEnglish(textOf(row, 't'))).toEqual(row.get('tokens'))
  })
})
