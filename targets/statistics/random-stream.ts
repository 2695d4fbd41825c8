import { digestOf } from '../../cache/digest.ts'
import { threefry, type Words } from './threefry.ts'

/** The key of everything drawn under a name. */
export const randomKey = (name: string): Words => {
  const digest = digestOf(name)
  return [Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8, 16), 16)]
}

/** One of a key's 2^32 streams of random words. Streams don't depend on each other: a resample is drawn from its own. */
export class RandomStream {
  private readonly key: Words
  private readonly stream: number
  private position = 0
  private kept: number | undefined

  constructor(key: Words, stream: number) {
    this.key = key
    this.stream = stream
  }

  /** 0 … 2^32 − 1. */
  word(): number {
    if (this.kept !== undefined) {
      const word = this.kept
      this.kept = undefined
      return word
    }
    const [word, next] = threefry(this.key, [this.position, this.stream])
    this.position += 1
    this.kept = next
    return word
  }

  /** 0 … `count` − 1. Some come up more often than others by count / 2^32 at most: far below what any resample shows. */
  below(count: number): number {
    return Math.floor((this.word() / 0x1_0000_0000) * count)
  }
}
