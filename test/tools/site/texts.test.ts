import { runInNewContext } from 'node:vm'
import { assert, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunkScript } from '../../../tools/site/emit/chunk-script.ts'
import { fileId } from '../../../tools/site/emit/file-id.ts'
import {
  fixed,
  formatChance,
  formatBeside,
  formatCost,
  formatDeclared,
  formatP,
  formatPoints,
  intervalText,
  formatCount,
  formatDifference,
  formatRange,
  formatSeconds,
  formatLack,
  formatShare,
  formatValue,
  plural,
} from '../../../cache/words/number-text.ts'
import { fittedNames } from '../../../tools/site/components/plot/fitted-names.ts'
import { fitted, textWidth } from '../../../tools/site/components/plot/text-width.ts'
import { usdText } from '../../../tools/spend/money-text.ts'
import { visibleText } from '../../../tools/site/visible-text.ts'

describe('visible text', () => {
  test('spells out what would hide or reorder the text around it', () => {
    expect(visibleText('a\u202Eb\u0000c\u200Bd\uFEFF')).toBe('a⟨U+202E⟩b⟨U+0000⟩c⟨U+200B⟩d⟨U+FEFF⟩')
    expect(visibleText('\uD83D!')).toBe('⟨U+D83D⟩!')
  })

  test('keeps words of every script, emoji and the joiners in them', () => {
    const text = 'naïve مرحبا नमस्ते 👩‍⚕️ می‌خواهم\t±'
    expect(visibleText(text)).toBe(text)
  })

  test('knows every system’s line end', () => {
    expect(visibleText('a\r\nb\rc\u2028d')).toBe('a\nb\nc\nd')
  })
})

describe('numbers', () => {
  test('have three decimals, a real minus, and none beyond a thousand', () => {
    expect([0.5, -0.25, 1234.5, 1 / 3].map(formatValue)).toEqual(['0.500', '−0.250', '1235', '0.333'])
    expect(formatRange({ low: 0, high: 1 })).toBe('0.000–1.000')
  })

  test('of less than three decimals show have two digits, and what is left of equal sums is 0', () => {
    expect([0.00042, -0.00042, 6.2e-8, -1.5e-7].map(formatValue)).toEqual([
      '0.00042',
      '−0.00042',
      '6.2e−8',
      '−1.5e−7',
    ])
    expect([1e-16, -1e-16, -0].map(formatValue)).toEqual(['0.000', '0.000', '0.000'])
    expect([1e-16, -1e-16, 0.25].map(formatDifference)).toEqual(['0.000', '0.000', '+0.250'])
  })

  test('that differ by the last digits of a sum read alike where these lie at a half', () => {
    // A share of a mean, and the mean of shares.
    expect([1 - 0.5175, 0.4825, -(1 - 0.5175), -0.4825].map(formatValue)).toEqual([
      '0.483',
      '0.483',
      '−0.483',
      '−0.483',
    ])
    expect([0.4825 - 1e-9, 0.5175 - 1e-9].map(formatValue)).toEqual(['0.482', '0.517'])
  })

  test('that lie at a half read alike as values, hundredths, p and money', () => {
    const share = 23 / 80
    expect([formatDifference(share), formatPoints(100 * share), formatP(share)]).toEqual([
      '+0.288',
      '+28.8',
      '0.288',
    ])
    expect([formatCost(1.005), usdText(1.005)]).toEqual(['$1.01', '1.01'])
  })

  test('of many digits keep them all', () => {
    expect([123456789012345, -9876543210987].map(formatValue)).toEqual(['123456789012345', '−9876543210987'])
  })

  test('at the end of a range tell on which side of 0 it lies', () => {
    expect(formatRange({ low: -0.0004, high: 0.05 })).toBe('−0.0004 to 0.050')
    expect(formatRange({ low: 0.0004, high: 0.05 })).toBe('0.000–0.050')
    expect(formatRange({ low: -0.05, high: -0.000031 })).toBe('−0.050 to −0.00003')
    expect(formatRange({ low: -1e-16, high: 0.05 })).toBe('0.000–0.050')
    expect(formatRange({ low: 4.1e-8, high: 6.2e-8 })).toBe('4.1e−8–6.2e−8')
  })

  test('with a given number of decimals have no minus that these do not bear out', () => {
    expect([-0.004, -0.006, 0.004, -0].map((value) => fixed(value, 2))).toEqual([
      '0.00',
      '−0.01',
      '0.00',
      '0.00',
    ])
    expect([-0.4, -0.6].map((value) => fixed(value, 0))).toEqual(['0', '−1'])
  })

  test('in brackets behind a value have no dash beside a minus, and are not there where there is no interval', () => {
    expect(
      [{ low: -1.706, high: 23.7064 }, { low: 0.5, high: 0.75 }, null, undefined].map(intervalText),
    ).toEqual([' (−1.706 to 23.706)', ' (0.500–0.750)', '', ''])
  })

  test('that are p tell on which side of 0.05 they lie', () => {
    expect(formatP(0.0495 - 1e-14)).toBe('0.0495')
    expect([0.0494, 0.0496, 0.049996, 0.05, 0.05004, 0.0506, 0.0009, 1].map(formatP)).toEqual([
      '0.049',
      '0.0496',
      '0.049996',
      '0.050',
      '0.05004',
      '0.051',
      '< 0.001',
      '1.000',
    ])
  })

  test('that are chances are never none, nor certain', () => {
    expect(formatChance(0.995 - 1e-14)).toBe('> 0.99')
    expect([0, 0.004, 0.306, 0.996, 1].map(formatChance)).toEqual([
      '< 0.01',
      '< 0.01',
      '0.31',
      '> 0.99',
      '> 0.99',
    ])
  })

  test('never round a share up to all of it', () => {
    expect(
      (
        [
          [0.0203, 0.02],
          [0.019996, 0.02],
          [0.02, 0.02],
          [0.031, 0.02],
          [0.79996, 0.8],
        ] as const
      ).map(([value, limit]) => formatBeside(value, limit)),
    ).toEqual(['0.0203', '0.019996', '0.020', '0.031', '0.79996'])
    expect(formatBeside(0.02, null)).toBe('0.020')
    expect([-0.04, 0.004, 0, -5.23, 1e-15].map((points) => formatPoints(points))).toEqual([
      '−0.04',
      '+0.004',
      '0.0',
      '−5.2',
      '0.0',
    ])
    expect([1, 0.9999, 0.985, 0].map(formatShare)).toEqual(['100 %', '99.9 %', '98.5 %', '0.0 %'])
    expect(formatShare(0.0004)).toBe('< 0.1 %')
    expect([0.99, 0.9995, 0.285, 1].map(formatDeclared)).toEqual(['99.0 %', '99.95 %', '28.5 %', '100 %'])
    expect([0, 2 / 13, 0.29, 0.0004, 1].map(formatLack)).toEqual([
      '0.0 %',
      '15.4 %',
      '29.0 %',
      '< 0.1 %',
      '100.0 %',
    ])
    expect([0.84, 99.4, 99.6, 1000].map(formatSeconds)).toEqual(['0.84 s', '99 s', '100 s', '1\u202F000 s'])
  })

  test('are grouped and counted in words', () => {
    expect(formatCount(1234567)).toBe('1\u202F234\u202F567')
    expect([plural(1, 'model'), plural(2, 'model')]).toEqual(['1 model', '2 models'])
  })
})

describe('a text in a drawing', () => {
  test('is cut to its room between whole characters', () => {
    expect(fitted('short', 100)).toBe('short')
    for (const name of [
      'نموذج طبي كبير جدا للغة العربية',
      '通义千问医疗大模型',
      '🩺🩺🩺🩺🩺🩺',
      'MMMMMMMMMMMM',
    ])
      for (let room = 20; room < 90; room += 7) {
        const text = fitted(name, room)
        expect(textWidth(text)).toBeLessThanOrEqual(room)
        expect(text.isWellFormed()).toBe(true)
        expect(text.endsWith('…')).toBe(true)
      }
  })

  test('looks like no other that begins as it does', () => {
    const start = 'northwind-health/clinical-reasoner-large-2026-01-01'
    const names = [
      '',
      '-thinking',
      '-nothinking',
      '-thinking-with-tools-and-a-very-long-memory',
      '-thinking-with-tools-and-a-very-long-context',
    ]
      .map((end) => start + end)
      .concat(
        'northwind-health/clinical-reasoner-large-2026-02-01-thinking',
        'northwind-health/clinical-reasoner-small-2026-01-01-thinking',
        'northwind-health/clinical-reasoner-small-2026-01-01-thinking-with-tools',
        'short',
        `${'医'.repeat(40)}一`,
        `${'医'.repeat(40)}二`,
      )
    for (const room of [122, 156, 204, 208, 240]) {
      const shown = [...fittedNames(names, room).values()]
      expect(new Set(shown).size, shown.join()).toBe(names.length)
      for (const text of shown) expect(textWidth(text)).toBeLessThan(room + 0.001)
    }
    const shown = fittedNames(names, 240)
    expect(shown.get('short')).toBe('short')
    expect(shown.get(`${start}-thinking`)).toBe('northwind…large…01-01-thinking')
  })
})

describe('file ids', () => {
  test('are safe names, distinct for run names that differ in one sign only', () => {
    const ids = ['a:b=c', 'a:b,c', 'a/b/c', '../../etc', '.hidden'].map((name) => fileId('suite', name))
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_][\w.-]*-[0-9a-f]{8}$/)
  })

  test('stay short for the longest run name and are never empty', () => {
    expect(fileId('suite', 'x'.repeat(5000)).length).toBeLessThan(80)
    expect(fileId('治療')).toMatch(/[0-9a-f]{8}$/)
    expect(fileId('a', 'b-c')).not.toBe(fileId('a-b', 'c'))
  })
})

describe('a chunk', () => {
  /** Runs a chunk as a page would. */
  const received = (script: string): unknown => {
    const values: string[] = []
    runInNewContext(script, { __chunk: (_: string, given: unknown) => values.push(JSON.stringify(given)) })
    return JSON.parse(values[0] ?? 'null')
  }

  test('gives back any text, and holds nothing but ASCII and no tag', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        const script = chunkScript('p0', { text })
        expect(script).toMatch(/^[\n\u0020-\u007E]*$/)
        expect(script).not.toMatch(/[<>]/)
        expect(received(script)).toEqual({ text })
      }),
    )
  })

  test('keeps lone surrogates apart from each other', () => {
    const text = '\uD83D \uDE00'
    expect(received(chunkScript('p0', text))).toBe(text)
  })
})
