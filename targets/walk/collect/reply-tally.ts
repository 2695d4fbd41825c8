import { compareCodePoints } from '../../../benchmarks/python/code-points.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import type { Completion } from '../../record/completion.ts'
import type { Served } from '../../record/drift.ts'
import type { TokenUsage } from '../../record/usage.ts'

/**
 * What the replies of one deployment took, and what the provider said that it used. Equal requests share a reply, which
 * counts once.
 */
export class ReplyTally {
  private readonly seen = new Set<Digest>()
  private readonly names = new Map<string, number>()
  private readonly sums = {
    unknown: 0,
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    seconds: 0,
  }

  add({ digest, stored: { reply, requestTime } }: Completion): void {
    if (this.seen.has(digest)) return
    this.seen.add(digest)
    const { model, systemFingerprint, usage } = reply
    if (model !== undefined) {
      const name = systemFingerprint === undefined ? model : `${model} (${systemFingerprint})`
      this.names.set(name, (this.names.get(name) ?? 0) + 1)
    }
    this.sums.seconds += requestTime
    if (usage === undefined) {
      this.sums.unknown += 1
      return
    }
    this.sums.inputTokens += usage.inputTokens
    this.sums.cachedInputTokens += usage.cachedInputTokens ?? 0
    this.sums.outputTokens += usage.outputTokens
    this.sums.reasoningTokens += usage.reasoningTokens ?? 0
  }

  usage(): TokenUsage {
    return { calls: this.seen.size, ...this.sums }
  }

  /** By model id and fingerprint. */
  served(): Served {
    return Object.fromEntries([...this.names].sort(([a], [b]) => compareCodePoints(a, b)))
  }

  hasDrifted(): boolean {
    return this.names.size > 1
  }

  /** Replies that are not of the one that gave most. */
  minority(): number {
    const counts = [...this.names.values()]
    return counts.length < 2 ? 0 : counts.reduce((sum, count) => sum + count, 0) - Math.max(...counts)
  }
}
