import { MersenneTwister } from './mersenne-twister.ts'

/** An integer from 0 to `max` inclusive, which is above 0: the lowest bits that can hold `max`, drawn until they don't exceed it. */
const interval = (generator: MersenneTwister, max: number): number => {
  const mask = 0xffffffff >>> Math.clz32(max)
  for (;;) {
    const drawn = (generator.next() & mask) >>> 0
    if (drawn <= max) return drawn
  }
}

/**
 * `numpy.random.seed(seed); numpy.random.permutation(n)`: the old generator, not `default_rng`.
 * @throws RangeError unless n and seed are integers from 0 to below 2^32
 */
export const permutation = (n: number, seed: number): number[] => {
  if (n !== n >>> 0) throw new RangeError(`cannot permute ${n} elements`)
  if (seed !== seed >>> 0) throw new RangeError(`a seed is an integer from 0 to 2^32 - 1, not ${seed}`)
  const generator = new MersenneTwister(seed)
  const order = Array.from({ length: n }, (_, index) => index)
  for (let last = n - 1; last > 0; last--) {
    const other = interval(generator, last)
    const index = order[last] ?? 0
    order[last] = order[other] ?? 0
    order[other] = index
  }
  return order
}

/**
 * Indices of `numpy.random.seed(seed); numpy.random.choice(n, k, replace=False)`, in the order chosen
 * (HELM.md B2). A smaller k gives a prefix of a larger one's choice.
 * @throws RangeError unless 0 ≤ k ≤ n
 */
export const numpyChoice = (n: number, k: number, seed: number): number[] => {
  if (!Number.isInteger(k) || k < 0 || k > n) throw new RangeError(`cannot choose ${k} of ${n}`)
  return permutation(n, seed).slice(0, k)
}
