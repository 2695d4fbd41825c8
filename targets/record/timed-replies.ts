import type { TokenUsage } from './completion.ts'

/** Replies that `seconds` are of. */
export const timedReplies = ({
  calls,
  seconds,
  untimed = 0,
}: Pick<TokenUsage, 'calls' | 'seconds' | 'untimed'>): number => (seconds === 0 ? 0 : calls - untimed)
