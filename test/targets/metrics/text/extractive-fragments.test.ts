import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberOf } from '../../../../benchmarks/python/numbers/number.ts'
import { tokenizeEnglish } from '../../../../targets/metrics/text/english-tokenizer.ts'
import { dataStats } from '../../../../targets/metrics/text/extractive-fragments.ts'
import { shared } from '../../../rig/shared.ts'
import { goldenLines, textOf } from '../golden-lines.ts'

describe('copied fragments', () => {
  it('count whole stretches, whatever their case', () => {
    const source = ['The', 'wound', 'healed', 'well', '.']
    const summary = ['wound', 'HEALED', 'soon', '.']
    expect(dataStats(summary, source)).toEqual({ coverage: 0.75, density: 1.25, compression: 1.25 })
  })

  it('are searched for behind a stretch, not inside it', () => {
    expect(dataStats(['a', 'a', 'b'], ['a', 'a', 'a', 'b']).density).toBe((4 + 1) / 3)
  })

  it('make an empty summary 0 throughout', () => {
    expect(dataStats([], ['a'])).toEqual({ coverage: 0, density: 0, compression: 0 })
  })

  it('cover a copy wholly and never more', () => {
    const tokens = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1 })
    fc.assert(
      fc.property(tokens, tokens, (summary, source) => {
        expect(dataStats(source, source)).toEqual({ coverage: 1, density: source.length, compression: 1 })
        const { coverage, density } = dataStats(summary, source)
        expect(coverage).toBeLessThanOrEqual(1)
        expect(density).toBeGreaterThanOrEqual(coverage)
      }),
    )
  })

  it.skipIf(shared('golden/metrics') === undefined)('are those of summ_eval 0.892', () => {
    const rows = goldenLines('data-stats.jsonl')
    expect(rows).toHaveLength(400)
    for (const row of rows) {
      const stats = dataStats(tokenizeEnglish(textOf(row, 'summary')), tokenizeEnglish(textOf(row, 'input')))
      const expected = ['coverage', 'density', 'compression'].map((name) => [
        name,
        numberOf(row.get(name) as number),
      ])
      expect(stats).toEqual(Object.fromEntries(expected))
    }
  })
})
