import { describe, expect, test } from 'vitest'
import { percentile } from '../../../targets/statistics/resampling/percentiles.ts'
import { randomKey, RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'
import { chanceFirst } from './compared/chance-first.ts'
import { tango } from '../../../targets/statistics/paired/tango.ts'
import { threefryInto, type Words } from '../../../targets/statistics/resampling/threefry.ts'

const key = randomKey('a test')

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
  test('of the chances to be first are drawn under their name', () => {
    const shares = chanceFirst(
      [0, 0, 0.1],
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
    )
    expect(randomKey('chance-first')).toEqual([1764303857, 1590620305])
    expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1, 12)
  })

  test('are those of the published Threefry-2x32', () => {
    const threefry = (keys: Words, counter: Words): readonly number[] => {
      const words = new Uint32Array(2)
      threefryInto(words, ...keys, ...counter)
      return [...words]
    }
    expect(threefry([0, 0], [0, 0])).toEqual([0x6b200159, 0x99ba4efe])
    expect(threefry([0xffffffff, 0xffffffff], [0xffffffff, 0xffffffff])).toEqual([0x1cb996fc, 0xbb002be7])
    expect(threefry([0x13198a2e, 0x03707344], [0x243f6a88, 0x85a308d3])).toEqual([0xc4923a9c, 0x483df7a0])
    // A counter gives two words.
    const stream = new RandomStream([0x13198a2e, 0x03707344], 0x85a308d3, 2 * 0x243f6a88)
    expect([stream.word(), stream.word()]).toEqual([0xc4923a9c, 0x483df7a0])
  })

  test('of a stream are the same whatever was drawn from others', () => {
    const first = new RandomStream(key, 7)
    const words = [first.word(), first.word(), first.word()]
    new RandomStream(key, 6).word()
    const again = new RandomStream(key, 7)
    expect([again.word(), again.word(), again.word()]).toEqual(words)
    expect(new RandomStream(key, 8).word()).not.toBe(words[0])
  })

  test('may be passed over', () => {
    const stream = new RandomStream(key, 7)
    const words = Array.from({ length: 5 }, () => stream.word())
    for (const at of [1, 2, 3]) {
      const later = new RandomStream(key, 7, at)
      expect([later.word(), later.word()]).toEqual(words.slice(at, at + 2))
    }
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

describe('percentiles', () => {
  test('lie between neighbours in proportion, as numpy’s and R’s type 7 do', () => {
    const sorted = [10, 20, 40, 80]
    expect([0, 0.25, 0.5, 0.9, 1].map((share) => percentile(sorted, share))).toEqual([10, 17.5, 30, 68, 80])
  })
})
