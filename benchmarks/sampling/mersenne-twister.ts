const SIZE = 624
const PERIOD = 397

/** The generator MT19937 (Matsumoto and Nishimura), which both Python's `random` and numpy's old generator use. */
export class MersenneTwister {
  private readonly state = new Uint32Array(SIZE)
  private index = SIZE

  /**
   * A number seeds by the authors' `init_genrand` (numpy), a list of 32-bit words by `init_by_array` (Python).
   */
  constructor(seed: number | readonly number[]) {
    if (typeof seed === 'number') this.seedByNumber(seed)
    else this.seedByWords(seed)
  }

  /** The next 32 random bits as an integer from 0 on. */
  next(): number {
    if (this.index === SIZE) this.refill()
    let word = this.word(this.index++)
    word ^= word >>> 11
    word ^= (word << 7) & 0x9d2c5680
    word ^= (word << 15) & 0xefc60000
    return (word ^ (word >>> 18)) >>> 0
  }

  private word(index: number): number {
    return this.state[index] ?? 0
  }

  /** The state's word before `index`, mixed: what both ways of seeding build on. */
  private mixed(index: number): number {
    const word = this.word(index - 1)
    return word ^ (word >>> 30)
  }

  private seedByNumber(seed: number): void {
    this.state[0] = seed
    for (let index = 1; index < SIZE; index++) {
      this.state[index] = Math.imul(1812433253, this.mixed(index)) + index
    }
  }

  private seedByWords(words: readonly number[]): void {
    this.seedByNumber(19650218)
    let index = 1
    const advance = (): void => {
      index++
      if (index < SIZE) return
      this.state[0] = this.word(SIZE - 1)
      index = 1
    }
    for (let step = 0; step < Math.max(SIZE, words.length); step++) {
      const position = step % words.length
      const added = (words[position] ?? 0) + position
      this.state[index] = (this.word(index) ^ Math.imul(this.mixed(index), 1664525)) + added
      advance()
    }
    for (let step = 1; step < SIZE; step++) {
      this.state[index] = (this.word(index) ^ Math.imul(this.mixed(index), 1566083941)) - index
      advance()
    }
    this.state[0] = 0x80000000
  }

  private refill(): void {
    for (let index = 0; index < SIZE; index++) {
      const next = this.word((index + 1) % SIZE)
      const joined = (this.word(index) & 0x80000000) | (next & 0x7fffffff)
      const twisted = (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0)
      this.state[index] = this.word((index + PERIOD) % SIZE) ^ twisted
    }
    this.index = 0
  }
}
