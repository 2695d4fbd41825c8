/** Calls in flight before anything is known of a server. */
const START = 8
const CUT = 0.7

/**
 * How many calls may be in flight: starts low, doubles a round trip until the first rejection, from then on gains one
 * a round trip and loses a third on each further rejection.
 */
export class CallWindow {
  readonly #most: number
  #size: number
  #threshold: number

  /** @param most never more than this */
  constructor(most: number) {
    this.#most = most
    this.#size = Math.min(START, most)
    this.#threshold = most
  }

  /** At least 1. */
  get size(): number {
    return Math.floor(this.#size)
  }

  accepted(): void {
    const step = this.#size < this.#threshold ? 1 : 1 / this.#size
    this.#size = Math.min(this.#most, this.#size + step)
  }

  rejected(): void {
    this.#size = Math.max(1, this.#size * CUT)
    this.#threshold = this.#size
  }
}
