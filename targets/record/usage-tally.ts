import type { Digest } from '../../cache/values/digest.ts'
import type { Completion } from './completion.ts'
import type { TokenUsage } from './usage.ts'

/** Adds up what replies of one deployment took. Equal requests share a reply, which counts once. */
export class UsageTally {
  private readonly seen = new Set<Digest>()
  private unknown = 0
  private inputTokens = 0
  private cachedInputTokens = 0
  private outputTokens = 0
  private reasoningTokens = 0
  private seconds = 0

  add({ digest, stored }: Completion): void {
    if (this.seen.has(digest)) return
    this.seen.add(digest)
    this.seconds += stored.requestTime
    const { usage } = stored.reply
    if (usage === undefined) {
      this.unknown += 1
      return
    }
    this.inputTokens += usage.inputTokens
    this.cachedInputTokens += usage.cachedInputTokens ?? 0
    this.outputTokens += usage.outputTokens
    this.reasoningTokens += usage.reasoningTokens ?? 0
  }

  result(): TokenUsage {
    const { unknown, inputTokens, cachedInputTokens, outputTokens, reasoningTokens, seconds } = this
    return {
      calls: this.seen.size,
      unknown,
      inputTokens,
      cachedInputTokens,
      outputTokens,
      reasoningTokens,
      seconds,
    }
  }
}
