import { describe, expect, test } from 'vitest'
import { comparePaired } from '../../../targets/compare/paired-values.ts'
import { summarizePair } from '../../../targets/compare/summarize-pair.ts'

const sides = (a: readonly number[], b: readonly number[]) => ({
  a: Float64Array.from(a),
  b: Float64Array.from(b),
})

describe('a pair in short', () => {
  for (const [what, isBinary, a, b] of [
    ['right and wrong answers', true, [1, 0, 0, 1, 0, 1, 0, 0], [1, 1, 1, 1, 0, 0, 1, 1]],
    ['scores', false, [1, 4, 3, 2.5, 5], [2, 4.5, 3, 4, 4]],
  ] as const)
    test(`has the difference, interval and detectable effects of medmake compare, of ${what}`, () => {
      const whole = comparePaired(
        a.map((value, at) => ({ a: value, b: b[at] ?? NaN })),
        { isBinary, name: 'test' },
      )
      const short = summarizePair([sides(a, b)], isBinary)
      expect(short?.n).toBe(whole.n)
      expect(short?.difference).toBeCloseTo(whole.difference, 12)
      expect(short?.interval?.low).toBeCloseTo(whole.interval?.low ?? NaN, 12)
      expect(short?.interval?.high).toBeCloseTo(whole.interval?.high ?? NaN, 12)
      expect(short?.mde).toBeCloseTo(whole.mde ?? NaN, 12)
      expect(short?.medhelmMde).toBeCloseTo(whole.medhelmMde ?? NaN, 12)
    })

  test('leaves out instances that one side lacks, and is undefined without any', () => {
    expect(summarizePair([sides([1, NaN, 0], [0, 1, 0])], true)?.n).toBe(2)
    expect(summarizePair([sides([NaN], [1])], true)).toBeUndefined()
    expect(summarizePair([], true)).toBeUndefined()
  })

  test('takes instances of one source for one', () => {
    const stratum = { ...sides([1, 2, 3, 4], [2, 3, 5, 6]), clusters: Int32Array.of(0, 0, 1, 1) }
    expect(summarizePair([stratum], false)).toMatchObject({ n: 4, sources: 2, difference: 1.5 })
  })
})
