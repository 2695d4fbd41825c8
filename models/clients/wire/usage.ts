import type { Json } from '../../../cache/values/json.ts'
import type { Reply } from '../../calls/client.ts'
import { optional } from './wire-form.ts'

/** Token counts of a reply by the names that its interface has for them. */
export interface ToldUsage {
  readonly input: Json | undefined
  readonly output: Json | undefined
  /** Of both, and of thoughts where `output` leaves them out. */
  readonly total: Json | undefined
  /** Part of `input`. */
  readonly cached: Json | undefined
  /** Part of `output`, or beside it. */
  readonly reasoning: Json | undefined
}

/** No model reads or writes so much in one call. */
const MOST_TOKENS = 100_000_000

const isCount = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_TOKENS

/**
 * What a call is charged for. Half a usage is none: what was paid for would be told too low. A count that cannot be is
 * no usage either, and the reply says so; a part greater than its whole is cut to it, as it would make the call cheaper
 * than nothing. Some servers tell thoughts beside the answer: only their total holds them, and all of it is charged.
 */
export const readUsage = ({
  input,
  output: answered,
  total,
  cached,
  reasoning,
}: ToldUsage): Pick<Reply, 'usage' | 'impossibleUsage'> => {
  if (typeof input !== 'number' || typeof answered !== 'number') return {}
  if (!isCount(input) || !isCount(answered)) return { impossibleUsage: true }
  const output = isCount(total) ? Math.max(answered, total - input) : answered
  return {
    usage: {
      inputTokens: input,
      outputTokens: output,
      ...optional('cachedInputTokens', partOf(input, cached)),
      ...optional('reasoningTokens', partOf(output, reasoning)),
    },
  }
}

const partOf = (whole: number, part: Json | undefined): number | undefined =>
  typeof part === 'number' ? Math.min(whole, isCount(part) ? part : 0) : undefined
