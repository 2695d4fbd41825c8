import { strip } from '../../../benchmarks/python/text.ts'
import type { Embedding, Encoder } from '../../../models/encoders/encoder.ts'
import { greedyMatch, type BertScore, type EncodedText } from './greedy-match.ts'

/** How much a token counts by how rare it is: log((N + 1) / (documents that have it + 1)) over N references. */
export interface InverseFrequencies {
  readonly default: number
  /** Token id → weight. */
  readonly weights: ReadonlyMap<number, number>
}

/** What unrelated texts score, subtracted by rescaling: 0 is then chance, 1 stays equality. */
export type RescalingBaseline = BertScore

export interface BertScoreOptions {
  /** Without them every token counts 1 and a boundary 0. */
  readonly idf?: InverseFrequencies
  readonly baseline?: RescalingBaseline
}

/** Remembers what a sequence embeds to. */
export interface EmbeddingCache {
  get(ids: readonly number[]): Embedding | undefined
  put(ids: readonly number[], embedding: Embedding): Promise<void>
}

/** Scores a candidate against its references. */
export type BertScorer = (candidate: string, references: readonly string[]) => Promise<BertScore>

/**
 * BERTScore as bert_score 0.3.13 computes it and HELM calls it (HELM.md T18): texts are stripped and cut to the
 * encoder's longest; of several references precision, recall and F each take their best.
 * @param cache of the references: they come again with every model, a model's answers do not
 */
export const createBertScorer =
  (encoder: Encoder, options: BertScoreOptions, cache: EmbeddingCache): BertScorer =>
  async (candidate, references) => {
    const sequences = [candidate, ...references].map((text) => encoder.tokenize(strip(text)))
    const known = sequences.map((ids, index) => (index === 0 ? undefined : cache.get(ids)))
    const missing = sequences.filter((_, index) => known[index] === undefined)
    const made = await encoder.embed(missing)
    const encoded: EncodedText[] = []
    let next = 0
    for (const [index, ids] of sequences.entries()) {
      const embedding = known[index] ?? made[next]
      if (embedding === undefined) throw new RangeError('an embedding for each text')
      if (known[index] === undefined) {
        next += 1
        if (index > 0) await cache.put(ids, embedding)
      }
      encoded.push({ embedding, weights: weightsOf(ids, encoder, options) })
    }
    const [own, ...others] = encoded
    if (own === undefined || others.length === 0) throw new RangeError('BERTScore needs a reference')
    return rescaled(best(others.map((other) => greedyMatch(own, other))), options.baseline)
  }

const weightsOf = (
  ids: readonly number[],
  { boundaries }: Encoder,
  { idf }: BertScoreOptions,
): readonly number[] =>
  ids.map((id) => (idf === undefined ? (boundaries.has(id) ? 0 : 1) : (idf.weights.get(id) ?? idf.default)))

const best = (scores: readonly BertScore[]): BertScore => {
  const most = (part: (score: BertScore) => number): number => Math.max(...scores.map(part))
  return {
    precision: most(({ precision }) => precision),
    recall: most(({ recall }) => recall),
    f1: most(({ f1 }) => f1),
  }
}

const rescaled = (score: BertScore, baseline: RescalingBaseline | undefined): BertScore => {
  if (baseline === undefined) return score
  const rescale = (value: number, base: number): number => (value - base) / (1 - base)
  return {
    precision: rescale(score.precision, baseline.precision),
    recall: rescale(score.recall, baseline.recall),
    f1: rescale(score.f1, baseline.f1),
  }
}
