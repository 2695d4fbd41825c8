import { PythonRandom } from '../../benchmarks/sampling/python-random.ts'

/** Draws for made-up patients: the same seed gives the same patients. */
export class Draw {
  private readonly random: PythonRandom

  constructor(seed: string) {
    this.random = new PythonRandom(seed)
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + this.random.randrange(high - low + 1)
  }

  /** A number from `low` to `high` with at most `decimals` decimals, as near to decimal as a double gets. */
  decimal(low: number, high: number, decimals: number): number {
    const scale = 10 ** decimals
    return this.whole(Math.round(low * scale), Math.round(high * scale)) / scale
  }

  /** @throws RangeError for an empty list */
  pick<T>(items: readonly T[]): T {
    const [item] = this.random.sample(items, 1)
    return item as T
  }

  /** True or false with equal chance. */
  coin(): boolean {
    return this.random.randrange(2) === 1
  }
}
