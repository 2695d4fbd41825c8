import { exactMean, exactSquares, packed } from '../exact-sum.ts'

/** What a mean and its variance follow from, of values that each stand for themselves. */
export interface Sums {
  readonly n: number
  readonly mean: number
  /** Squared distances from the mean. */
  readonly squares: number
}

export const sumsOf = (values: ArrayLike<number>): Sums => {
  const list = packed(values)
  const mean = exactMean(list)
  return { n: list.length, mean, squares: exactSquares(list, mean) }
}

/**
 * What the differences of every two sides of one run sum up to, each made once: boards and the tasks on them ask for the
 * same pairs again and again.
 */
export class PairSums {
  readonly values: readonly (Float64Array | undefined)[]
  /** Name of each instance's source; undefined where each stands for itself. */
  readonly sources: readonly string[] | undefined
  /** By side: it is there, with a value of every instance. */
  readonly whole: readonly boolean[]
  private readonly size: number
  private readonly differences: Float64Array
  /** By pair, NaN where none was asked for yet. */
  private means: Float64Array | undefined
  private squares: Float64Array | undefined

  /** @param size differences are in units of it */
  constructor(
    values: readonly (Float64Array | undefined)[],
    sources: readonly string[] | undefined,
    size: number,
  ) {
    this.values = values
    this.sources = sources
    this.size = size
    this.whole = values.map((own) => own !== undefined && own.length > 0 && !own.some(Number.isNaN))
    this.differences = new Float64Array(values.find((own) => own !== undefined)?.length ?? 0)
  }

  /** Of `left` − `right`; undefined where one lacks a value, or sources are shared. */
  of(left: number, right: number): Sums | undefined {
    if (this.sources !== undefined || this.whole[left] !== true || this.whole[right] !== true)
      return undefined
    const count = (this.values.length * (this.values.length - 1)) / 2
    this.means ??= new Float64Array(count).fill(NaN)
    this.squares ??= new Float64Array(count)
    const [first, second] = left < right ? [left, right] : [right, left]
    const at = placeOfPair(first, second, this.values.length)
    if (Number.isNaN(this.means[at])) {
      const sums = this.make(first, second)
      this.means[at] = sums.mean
      this.squares[at] = sums.squares
    }
    const mean = this.means[at] ?? NaN
    return {
      n: this.differences.length,
      mean: left < right ? mean : 0 - mean,
      squares: this.squares[at] ?? NaN,
    }
  }

  private make(first: number, second: number): Sums {
    const { differences, size } = this
    const [minuend, taken] = [this.values[first] ?? differences, this.values[second] ?? differences]
    for (let at = 0; at < differences.length; at += 1)
      differences[at] = ((minuend[at] ?? NaN) - (taken[at] ?? NaN)) / size
    return sumsOf(differences)
  }
}

/** Where a pair stands among all of them: those of the first, then of the second … @param a less than b */
export const placeOfPair = (a: number, b: number, count: number): number =>
  a * count - (a * (a + 1)) / 2 + (b - a - 1)
