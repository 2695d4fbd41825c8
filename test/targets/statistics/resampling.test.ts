import { describe, expect, test } from 'vitest'
import { clusterBootstrap } from '../../../targets/statistics/cluster-bootstrap.ts'
import { percentileInterval } from '../../../targets/statistics/percentiles.ts'
import { RandomStream, randomKey } from '../../../targets/statistics/random-stream.ts'
import { signFlip } from '../../../targets/statistics/sign-flip.ts'
import { tango } from '../../../targets/statistics/paired/tango.ts'
import { threefry } from '../../../targets/statistics/threefry.ts'
import { wilcoxonSignedRank } from '../../../targets/statistics/wilcoxon.ts'

const key = randomKey('a test')
const series = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => ((index * 37) % 11) - 4.5)

/** The share between 0 and 1 with the greatest value of a function with one peak. */
const likeliest = (of: (share: number) => number): number => {
  let best = 0
  for (let step = 1e-2, from = 0, to = 1; step > 1e-9; step /= 10) {
    for (let share = from; share <= to; share += step) if (share > 0 && of(share) > of(best)) best = share
    ;[from, to] = [best - step, best + step]
  }
  return best
}

describe('random words', () => {
  test('are those of the published Threefry-2x32', () => {
    expect(threefry([0, 0], [0, 0])).toEqual([0x6b200159, 0x99ba4efe])
    expect(threefry([0xffffffff, 0xffffffff], [0xffffffff, 0xffffffff])).toEqual([0x1cb996fc, 0xbb002be7])
    expect(threefry([0x13198a2e, 0x03707344], [0x243f6a88, 0x85a308d3])).toEqual([0xc4923a9c, 0x483df7a0])
  })

  test('of a stream are the same whatever was drawn from others', () => {
    const first = new RandomStream(key, 7)
    const words = [first.word(), first.word(), first.word()]
    new RandomStream(key, 6).word()
    const again = new RandomStream(key, 7)
    expect([again.word(), again.word(), again.word()]).toEqual(words)
    expect(new RandomStream(key, 8).word()).not.toBe(words[0])
  })

  test('below a count fill it evenly', () => {
    const counts = Array.from({ length: 5 }, () => 0)
    const stream = new RandomStream(key, 0)
    for (let draw = 0; draw < 10_000; draw += 1) {
      const value = stream.below(5)
      counts[value] = (counts[value] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(160)
  })
})

describe('the sign-flip test', () => {
  test('counts every pattern of few sums', () => {
    expect(signFlip([1, 2, 3], key)).toEqual({ p: 2 / 8, exact: true })
    expect(signFlip([1, 2, -3], key)).toEqual({ p: 1, exact: true })
    expect(signFlip([0, 0], key)).toEqual({ p: 1, exact: true })
    // Ten tenths on one side: 2 of 1,024 patterns, though 0.1 + … + 0.1 is not 1.
    expect(
      signFlip(
        Array.from({ length: 10 }, () => 0.1),
        key,
      ),
    ).toEqual({ p: 2 / 1024, exact: true })
  })

  test('draws patterns of many, the same ones each time, and never says 0', () => {
    const far = Array.from({ length: 60 }, () => 1)
    expect(signFlip(far, key)).toEqual({ p: 1 / 10_000, exact: false })
    const once = signFlip(series(60), key)
    expect(signFlip(series(60), key)).toEqual(once)
    expect(signFlip(series(60), randomKey('another')).p).not.toBe(once.p)
  })

  test('agrees with the signed-rank test on ranks', () => {
    const ranks = [1, -2, 3, 4, 5, -6, 7, 8]
    expect(signFlip(ranks, key).p).toBeCloseTo(wilcoxonSignedRank(ranks)?.p ?? NaN, 12)
  })
})

describe('the bootstrap', () => {
  test('gives the same draws each time and spreads as the standard error says', () => {
    const values = series(110)
    const mean = (drawn: readonly number[]): number =>
      drawn.reduce((sum, each) => sum + each, 0) / drawn.length
    const draw = (): readonly number[] => clusterBootstrap(values, mean, { resamples: 2000, key })
    const means = draw()
    expect(draw()).toEqual(means)
    const interval = percentileInterval(means, 0.95)
    const half = 1.96 * Math.sqrt(10 / 110)
    expect(interval?.low).toBeCloseTo(mean(values) - half, 1)
    expect(interval?.high).toBeCloseTo(mean(values) + half, 1)
  })

  test('leaves resamples without a value out', () => {
    expect(clusterBootstrap([1], () => NaN, { resamples: 5, key })).toEqual([])
    expect(percentileInterval([], 0.95)).toBeUndefined()
    expect(percentileInterval([0, 1, 2, 3, 4], 0.5)).toEqual({ low: 1, high: 3 })
  })
})

describe('Tango’s interval', () => {
  test('ends where the likeliest shares that differ so much are just refused', () => {
    const z = 1.959963984540054
    for (const [onlyA, onlyB, n] of [
      [2, 7, 30],
      [11, 4, 200],
      [1, 1, 12],
    ] as const) {
      const { low, high } = tango({ onlyA, onlyB, n }, 0.95)
      for (const delta of [low, high]) {
        const share = likeliest((q) => {
          const [b, rest] = [q + delta, 1 - 2 * q - delta]
          if (b <= 0 || rest <= 0) return -Infinity
          return onlyB * Math.log(b) + onlyA * Math.log(q) + (n - onlyA - onlyB) * Math.log(rest)
        })
        const variance = n * (2 * share + delta * (1 - delta))
        expect(Math.abs(onlyB - onlyA - n * delta) / Math.sqrt(variance)).toBeCloseTo(z, 4)
      }
    }
  })

  test('leaves doubt where the two never differ', () => {
    const { low, high } = tango({ onlyA: 0, onlyB: 0, n: 50 }, 0.95)
    const reach = 1.959963984540054 ** 2 / (50 + 1.959963984540054 ** 2)
    expect(low).toBeCloseTo(-reach, 9)
    expect(high).toBeCloseTo(reach, 9)
  })

  test('turns round with the sides and stays within its bounds', () => {
    const one = tango({ onlyA: 3, onlyB: 9, n: 40 }, 0.95)
    const other = tango({ onlyA: 9, onlyB: 3, n: 40 }, 0.95)
    expect(other.low).toBeCloseTo(-one.high, 9)
    expect(other.high).toBeCloseTo(-one.low, 9)
    expect(tango({ onlyA: 0, onlyB: 5, n: 5 }, 0.95).high).toBe(1)
  })
})
