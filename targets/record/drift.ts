import type { Digest } from '../../cache/values/digest.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import { compareCodePoints } from '../../benchmarks/python/text.ts'
import type { Completion } from './completion.ts'

/** Replies of one deployment by what the provider said that it used: `model id (fingerprint)`. */
export type Served = Readonly<Record<string, number>>

/** A deployment whose model changed within a run, as far as the provider says. */
export interface Drift {
  readonly deployment: string
  /** Absent for the model that is evaluated. */
  readonly judge?: string
  /** More than one. */
  readonly served: Served
}

/** Counts replies by model id and fingerprint. Equal requests share a reply, which counts once. */
export class ServedTally {
  private readonly seen = new Set<Digest>()
  private readonly counts = new Map<string, number>()

  add({ digest, stored }: Completion): void {
    const { model, systemFingerprint } = stored.reply
    if (model === undefined || this.seen.has(digest)) return
    this.seen.add(digest)
    const name = systemFingerprint === undefined ? model : `${model} (${systemFingerprint})`
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  result(): Served {
    return Object.fromEntries([...this.counts].sort(([a], [b]) => compareCodePoints(a, b)))
  }

  hasDrifted(): boolean {
    return this.counts.size > 1
  }

  /** Replies that are not of the one that gave most. */
  minority(): number {
    const counts = [...this.counts.values()]
    return counts.length < 2 ? 0 : counts.reduce((sum, count) => sum + count, 0) - Math.max(...counts)
  }
}

/** `openai/gpt-4o changed under way: gpt-4o-1 (a) 40 replies, gpt-4o-1 (b) 1 reply`. */
export const driftText = ({ deployment, judge, served }: Drift): string => {
  const parts = Object.entries(served).map(
    ([name, count]) => `${name} ${count.toLocaleString('en')} ${count === 1 ? 'reply' : 'replies'}`,
  )
  const who = judge === undefined ? deployment : `judge ${judge} (${deployment})`
  return `${who} changed under way: ${parts.join(', ')}`
}

/**
 * What a provider named itself by, as records and output may hold it. About a gated or private benchmark a name may repeat
 * what was sent: it is told only where it is the one that was asked for, others are told apart.
 *
 * @param asked the model string that requests carry
 */
export const discreetServed = (
  served: Served,
  asked: string,
  { access }: Pick<Benchmark, 'access'>,
): Served =>
  access === 'public'
    ? served
    : Object.fromEntries(
        Object.entries(served).map(([name, count], index) => [
          name === asked ? name : `withheld name ${index + 1}`,
          count,
        ]),
      )
