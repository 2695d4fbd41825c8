import type { MetricPoint } from '../metric.ts'
import { floatPoint } from './points.ts'

/** Sum of a per-instance stat over the instances of a split; undefined when the stat is not there. */
export type SumOf = (name: string) => number | undefined

/**
 * Stats of a whole split that HELM derives from sums over its instances (HELM.md T19): perplexity (≥ 1, lower is
 * better), bits_per_byte (≥ 0, lower is better) and logprob_per_byte (nats, ≤ 0, higher is better).
 * There are none without tokens. Perplexity may differ from HELM's in the last bit: powers of e are not the same in
 * V8 and glibc (HELM.md T19).
 */
export const languageModelStats = (sumOf: SumOf): readonly MetricPoint[] => {
  const logprob = sumOf('logprob') ?? 0
  const tokens = sumOf('num_perplexity_tokens') ?? 0
  const bytes = sumOf('num_bytes') ?? 0
  const points: MetricPoint[] = []
  if (tokens > 0) points.push(floatPoint('perplexity', Math.E ** (-logprob / tokens)))
  if (bytes > 0) {
    // From 0, since Python has no negative zero among its ints.
    points.push(floatPoint('bits_per_byte', (0 - logprob) / bytes / Math.LN2))
    points.push(floatPoint('logprob_per_byte', logprob / bytes))
  }
  return points
}
