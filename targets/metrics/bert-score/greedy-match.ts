import type { Embedding } from '../../../models/encoders/encoder.ts'

/** 0–1 for usual texts, higher is better; after rescaling below 0 where texts are less alike than chance. */
export interface BertScore {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** A text as BERTScore sees it. */
export interface EncodedText {
  readonly embedding: Embedding
  /** How much each token counts. */
  readonly weights: readonly number[]
}

const NOTHING: BertScore = { precision: 0, recall: 0, f1: 0 }

/** Tokens as vectors of length 1. */
const unitVectors = ({ values, size }: Embedding): readonly Float64Array[] =>
  Array.from({ length: size === 0 ? 0 : values.length / size }, (_, token) => {
    const vector = Float64Array.from(values.subarray(token * size, (token + 1) * size))
    const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
    return vector.map((value) => value / norm)
  })

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0)
  return sum
}

/** The weighted mean; NaN where nothing has weight. */
const weighted = (values: ArrayLike<number>, weights: readonly number[]): number => {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.reduce((sum, weight, index) => sum + ((values[index] ?? 0) * weight) / total, 0)
}

/**
 * bert_score's greedy matching (Zhang et al. 2020): each token counts by the cosine with its most similar token on the
 * other side. A text of nothing but its two boundaries scores 0. A candidate whose tokens all lack weight has
 * precision NaN and F 0.
 */
export const greedyMatch = (candidate: EncodedText, reference: EncodedText): BertScore => {
  const own = unitVectors(candidate.embedding)
  const others = unitVectors(reference.embedding)
  if (own.length <= 2 || others.length <= 2) return NOTHING
  const bestOwn = new Float64Array(own.length).fill(-Infinity)
  const bestOther = new Float64Array(others.length).fill(-Infinity)
  for (const [i, a] of own.entries())
    for (const [j, b] of others.entries()) {
      const cosine = dot(a, b)
      if (cosine > (bestOwn[i] ?? 0)) bestOwn[i] = cosine
      if (cosine > (bestOther[j] ?? 0)) bestOther[j] = cosine
    }
  const precision = weighted(bestOwn, candidate.weights)
  const recall = weighted(bestOther, reference.weights)
  const f1 = (2 * precision * recall) / (precision + recall)
  return { precision, recall, f1: Number.isNaN(f1) ? 0 : f1 }
}
