import { createHash } from 'node:crypto'
import { MersenneTwister } from './mersenne-twister.ts'

/** The whole, not negative integer as 32-bit words, lowest first; zero is one word. */
const wordsOf = (integer: bigint): number[] => {
  const words: number[] = []
  let rest = integer
  do {
    words.push(Number(rest & 0xffffffffn))
    rest >>= 32n
  } while (rest > 0n)
  return words
}

/** A text seeds by its UTF-8 bytes followed by their sha512, read as one big-endian integer. */
const integerOf = (seed: string): bigint =>
  BigInt(`0x${Buffer.from(seed).toString('hex')}${createHash('sha512').update(seed).digest('hex')}`)

/** Python's `random.Random`: the same seed gives the same numbers as CPython 3.11 (HELM.md B3). */
export class PythonRandom {
  private readonly generator: MersenneTwister

  /**
   * @param seed an integer (its sign is ignored, as Python does) or a text
   * @throws RangeError for a number that is no safe integer
   */
  constructor(seed: number | string) {
    if (typeof seed === 'number' && !Number.isSafeInteger(seed))
      throw new RangeError(`a seed is an integer, not ${seed}`)
    const integer = typeof seed === 'number' ? BigInt(Math.abs(seed)) : integerOf(seed)
    this.generator = new MersenneTwister(wordsOf(integer))
  }

  /** Uniform in [0, 1), with 53 random bits. */
  random(): number {
    const high = this.generator.next() >>> 5
    const low = this.generator.next() >>> 6
    return (high * 67108864 + low) / 9007199254740992
  }

  /** An integer from 0 to below `n`. @throws RangeError unless n is an integer with 0 < n < 2^32 */
  randrange(n: number): number {
    if (n !== n >>> 0 || n === 0) throw new RangeError(`no integer lies from 0 to below ${n}`)
    // As many bits as `n` itself has, drawn again until they fall below it.
    const unused = Math.clz32(n)
    for (;;) {
      const drawn = this.generator.next() >>> unused
      if (drawn < n) return drawn
    }
  }

  /** In place. */
  shuffle(array: unknown[]): void {
    for (let last = array.length - 1; last > 0; last--) {
      const other = this.randrange(last + 1)
      const item = array[last]
      array[last] = array[other]
      array[other] = item
    }
  }

  /** `k` different elements in random order. @throws RangeError unless 0 ≤ k ≤ length */
  sample<T>(array: readonly T[], k: number): T[] {
    const n = array.length
    if (!Number.isInteger(k) || k < 0 || k > n) throw new RangeError(`cannot sample ${k} of ${n}`)
    const chosen = n <= poolLimit(k) ? this.samplePool(n, k) : this.sampleSet(n, k)
    return chosen.flatMap((index) => array.slice(index, index + 1))
  }

  /** Indices, each taken out of a pool whose gap the last one left fills. */
  private samplePool(n: number, k: number): number[] {
    const pool = Array.from({ length: n }, (_, index) => index)
    return Array.from({ length: k }, (_, taken) => {
      const drawn = this.randrange(n - taken)
      const index = pool[drawn] ?? 0
      pool[drawn] = pool[n - taken - 1] ?? 0
      return index
    })
  }

  /** Indices, drawn again where met before. */
  private sampleSet(n: number, k: number): number[] {
    const chosen = new Set<number>()
    while (chosen.size < k) chosen.add(this.randrange(n))
    return [...chosen]
  }
}

/** Up to how many elements Python copies the population rather than keep a set of those chosen. */
const poolLimit = (k: number): number => 21 + (k > 5 ? 4 ** Math.ceil(Math.log(k * 3) / Math.log(4)) : 0)
