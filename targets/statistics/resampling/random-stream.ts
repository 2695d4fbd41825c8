import { threefryInto, type Words } from './threefry.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { groupBy } from '../../../cache/lists.ts'

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

/** The key of everything drawn under a name. */
export const randomKey = (name: string): Words => {
  const digest = digestOf(name)
  return [Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8, 16), 16)]
}

/** The places of each source's items, in the order in which the sources first come; each item by itself without sources. */
export const itemsBySource = (
  items: number,
  sources: readonly string[] | undefined,
): readonly (readonly number[])[] =>
  sources === undefined
    ? Array.from({ length: items }, (_, at) => [at])
    : [...groupBy(Array(items).keys(), (at) => sources[at] ?? '').values()]

/** How often each item comes up when as many sources are drawn as there are, with replacement, each with all its items. */
export const drawSources = (
  sources: readonly (readonly number[])[],
  items: number,
  stream: RandomStream,
): readonly number[] => {
  const times = Array.from({ length: items }, () => 0)
  for (let drawn = 0; drawn < sources.length; drawn += 1)
    for (const at of sources[stream.below(sources.length)] ?? []) times[at] = (times[at] ?? 0) + 1
  return times
}
