import { threefryInto, type Words } from './threefry.ts'

/** One of a key's 2^32 streams of random words. Streams don't depend on each other: a resample is drawn from its own. */
export class RandomStream {
  private readonly key0: number
  private readonly key1: number
  private readonly stream: number
  private position: number
  /** A counter gives two words. */
  private readonly pair = new Uint32Array(2)

  /** @param position words of the stream that are passed over: they may be drawn elsewhere, or never */
  constructor([key0, key1]: Words, stream: number, position = 0) {
    this.key0 = key0
    this.key1 = key1
    this.stream = stream
    this.position = position
    if ((position & 1) === 1) this.draw()
  }

  /** 0 … 2^32 − 1. */
  word(): number {
    const second = this.position & 1
    if (second === 0) this.draw()
    this.position += 1
    return this.pair[second] ?? 0
  }

  /** 0 … `count` − 1. Some come up more often than others by count / 2^32 at most: far below what any resample shows. */
  below(count: number): number {
    return Math.floor((this.word() / 0x1_0000_0000) * count)
  }

  private draw(): void {
    threefryInto(this.pair, this.key0, this.key1, this.position >>> 1, this.stream)
  }
}
