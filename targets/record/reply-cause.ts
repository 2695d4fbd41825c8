import { strip } from '../../benchmarks/python/text.ts'
import type { Reply } from '../../models/calls/client.ts'
import type { Cause } from './coverage.ts'

/** Finish reasons as OpenAI-compatible servers, and those that speak for other makers, give them. */
const REFUSED: ReadonlySet<string> = new Set(['content_filter', 'refusal', 'safety', 'recitation'])
const TRUNCATED: ReadonlySet<string> = new Set(['length', 'max_tokens', 'max_output_tokens'])

/**
 * What makes a reply less than an answer; the first that holds of refused, truncated and empty, as it explains the
 * others. Of several completions one is enough.
 *
 * @param answer the first completion as metrics and judges see it, cut at the stop sequences
 */
export const replyCause = ({ choices }: Reply, answer: string): Cause | undefined => {
  const reasons = choices.map(({ finishReason }) => finishReason?.toLowerCase() ?? '')
  if (choices.some(({ refusal }) => refusal !== undefined) || reasons.some((reason) => REFUSED.has(reason)))
    return 'refused'
  if (reasons.some((reason) => TRUNCATED.has(reason))) return 'truncated'
  return strip(answer) === '' ? 'empty-completion' : undefined
}
