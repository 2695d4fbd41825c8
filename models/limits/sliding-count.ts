const BUCKET = 1000
const BUCKETS = 60

/** Events of the last minute, to the second. */
export class SlidingCount {
  readonly #counts: number[] = Array.from({ length: BUCKETS }, () => 0)
  #bucket = 0
  #first: number | undefined

  /** @param now milliseconds of a clock that never goes back */
  add(now: number): void {
    this.#advance(now)
    this.#first ??= now
    const place = this.#bucket % BUCKETS
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
  }

  /** How many there were, and over how many milliseconds: at most a minute, less where the first is younger. */
  read(now: number): { readonly count: number; readonly span: number } {
    this.#advance(now)
    return {
      count: this.#counts.reduce((sum, count) => sum + count, 0),
      span: Math.min(BUCKET * BUCKETS, now - (this.#first ?? now)),
    }
  }

  #advance(now: number): void {
    const bucket = Math.floor(now / BUCKET)
    const from = Math.max(this.#bucket + 1, bucket - BUCKETS + 1)
    for (let stale = from; stale <= bucket; stale += 1) this.#counts[stale % BUCKETS] = 0
    this.#bucket = Math.max(this.#bucket, bucket)
  }
}
