import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MersenneTwister } from '../../../benchmarks/sampling/mersenne-twister.ts'
import { numpyChoice, permutation } from '../../../benchmarks/sampling/numpy-random.ts'
import { PythonRandom } from '../../../benchmarks/sampling/python-random.ts'
import { shared } from '../../rig/shared.ts'

const range = (n: number): number[] => Array.from({ length: n }, (_, index) => index)
const times = <T>(count: number, make: () => T): T[] => range(count).map(() => make())
const shuffled = <T>(random: PythonRandom, items: T[]): T[] => {
  random.shuffle(items)
  return items
}

describe("Python's random", () => {
  it('starts from integers and texts', () => {
    expect(new PythonRandom(0).random()).toBe(0.8444218515250481)
    expect(new PythonRandom('id0').random()).toBe(0.51172047939132)
    expect(new PythonRandom(-1).random()).toBe(new PythonRandom(1).random())
    expect(() => new PythonRandom(0.5)).toThrow(RangeError)
  })
  it('shuffles, draws and samples from one stream', () => {
    const random = new PythonRandom(0)
    expect(shuffled(random, 'abcdef'.split('')).join('')).toBe('ecbafd')
    expect(times(5, () => random.randrange(10))).toEqual([6, 4, 7, 5, 9])
    expect(random.sample(range(100), 3)).toEqual([27, 64, 17])
    expect(random.sample(range(10), 4)).toEqual([4, 2, 1, 9])
  })
  it('refuses empty ranges and samples larger than what they are of', () => {
    const random = new PythonRandom(0)
    expect(() => random.randrange(0)).toThrow(RangeError)
    expect(() => random.randrange(1.5)).toThrow(RangeError)
    expect(() => random.sample([1], 2)).toThrow(RangeError)
    expect(random.sample([], 0)).toEqual([])
  })
  it.each([
    // CPython 3.11: up to 21, or 85 from six on, the population is copied, beyond a set is kept.
    [21, 5, 2, [1, 2, 19, 11, 5]],
    [22, 5, 2, [1, 2, 11, 5, 21]],
    [85, 6, 5, [79, 32, 45, 67, 3, 59]],
    [86, 6, 2, [7, 11, 10, 46, 21, 85]],
  ])('samples as CPython at the size where its way changes: of %i %i', (n, k, seed, chosen) => {
    expect(new PythonRandom(seed).sample(range(n), k)).toEqual(chosen)
  })
  it('starts from a text of more words than its state has', () => {
    expect(new PythonRandom('x'.repeat(2500)).random()).toBe(0.6479639507831457)
    expect(new PythonRandom('ä'.repeat(1300)).random()).toBe(0.8766031910582892)
  })
  it('samples each element at most once', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), fc.nat(), (n, k, seed) => {
        fc.pre(k <= n)
        expect(new Set(new PythonRandom(seed).sample(range(n), k)).size).toBe(k)
      }),
    )
  })
})

describe("numpy's old generator", () => {
  it.each([
    [20, 5, 0, [18, 1, 19, 8, 10]],
    [91, 10, 0, [2, 13, 53, 41, 86, 30, 45, 43, 59, 90]],
    [1001, 10, 0, [708, 533, 298, 356, 833, 553, 27, 231, 306, 994]],
    [5000, 10, 0, [398, 3833, 4836, 4572, 636, 2545, 1161, 2230, 148, 2530]],
    [3, 2, 0, [2, 1]],
    [5, 5, 0, [2, 0, 1, 3, 4]],
    [30000, 7, 0, [8225, 10794, 9163, 26591, 6631, 14161, 252]],
    [5, 5, 1, [2, 1, 4, 0, 3]],
    [2545, 7, 1, [81, 107, 1843, 1089, 1070, 846, 4]],
    [30000, 7, 1, [10747, 12573, 29676, 8856, 21098, 17458, 1476]],
  ])('chooses from %i elements %i with seed %i', (n, k, seed, chosen) => {
    expect(numpyChoice(n, k, seed)).toEqual(chosen)
  })
  it('permutes nothing, and refuses what is no count or seed', () => {
    expect(permutation(0, 0)).toEqual([])
    expect(() => permutation(-1, 0)).toThrow(RangeError)
    expect(() => permutation(1, -1)).toThrow(RangeError)
    expect(() => numpyChoice(2, 3, 0)).toThrow(RangeError)
  })
})

const vectors = shared('proofs/python-random-vectors.json')

describe.skipIf(vectors === undefined)('on streams that CPython and numpy wrote', () => {
  const expected = JSON.parse(vectors === undefined ? '{}' : readFileSync(vectors, 'utf8')) as Readonly<
    Record<string, unknown>
  >
  it.each([0, 1, 42])('follows Python from seed %i', (seed) => {
    const make = (): PythonRandom => new PythonRandom(seed)
    const [random, choice, dice] = [make(), make(), make()]
    const generator = new MersenneTwister([seed])
    expect({
      [`rand${seed}`]: times(5, () => random.random()),
      [`shuf${seed}`]: shuffled(make(), range(20)),
      [`samp${seed}`]: make().sample(range(1000), 10),
      [`sampsmall${seed}`]: make().sample(range(10), 5),
      [`choice${seed}`]: times(8, () => choice.randrange(37)),
      [`ri${seed}`]: times(8, () => 1 + dice.randrange(6)),
      [`bits${seed}`]: times(4, () => generator.next()),
    }).toEqual(Object.fromEntries(Object.entries(expected).filter(([key]) => isOf(key, seed))))
  })
  it('seeds by a text and by an integer of several words', () => {
    expect(new PythonRandom('helm').random()).toBe(expected['str'])
    const words = [...wordsOf(123456789012345678901n)]
    const generator = new MersenneTwister(words)
    expect(times(4, () => generator.next())).toEqual(expected['bits123456789012345678901'])
  })
  it.each([0, 1, 42])('follows numpy from seed %i', (seed) => {
    expect(numpyChoice(2500, 1000, seed)).toEqual(expected[`npchoice${seed}`])
    expect(permutation(17, seed)).toEqual(expected[`npperm${seed}`])
  })
})

const isOf = (key: string, seed: number): boolean => new RegExp(`^(?!gauss|np)[a-z]+${seed}$`).test(key)

function* wordsOf(integer: bigint): Generator<number> {
  for (let rest = integer; rest > 0n; rest >>= 32n) yield Number(rest & 0xffffffffn)
}
