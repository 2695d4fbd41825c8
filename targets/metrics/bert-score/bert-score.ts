import { strip } from '../../../benchmarks/python/text.ts'
import type { Embedding, Encoder } from '../../../models/encoders/encoder.ts'
import { canonicalJson, digestJson } from '../../../cache/values/digest.ts'
import type { JsonObject } from '../../../cache/values/json.ts'
import type { Store } from '../../../cache/store.ts'

/** How much a token counts by how rare it is: log((N + 1) / (documents that have it + 1)) over N references. */
export interface InverseFrequencies {
  readonly default: number
  /** Token id → weight. */
  readonly weights: ReadonlyMap<number, number>
}

/** What unrelated texts score, subtracted by rescaling: 0 is then chance, 1 stays equality. */
type RescalingBaseline = BertScore

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

/** 0–1 for usual texts, higher is better; after rescaling below 0 where texts are less alike than chance. */
export interface BertScore {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** A text as BERTScore sees it. */
interface EncodedText {
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

/** Embeddings in the store by encoder and token ids; garbage collection may drop them, they are made again. */
export const embeddingCache = (store: Store, encoder: JsonObject): EmbeddingCache => {
  const prefix = digestJson<'metric'>({ stage: 'embeddings', encoder })
  const idOf = (ids: readonly number[]): string =>
    `embedding-${digestJson<'metric'>([prefix, canonicalJson(ids)])}`
  return {
    get: (ids) => {
      const stored = store.get('metrics', idOf(ids)) as { size: number; values: string } | undefined
      if (stored === undefined) return undefined
      // Copied: a decoded buffer need not begin where floats may.
      const bytes = Uint8Array.from(Buffer.from(stored.values, 'base64'))
      return { size: stored.size, values: new Float32Array(bytes.buffer) }
    },
    put: async (ids, { size, values }) => {
      const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
      await store.put('metrics', idOf(ids), { size, values: bytes.toString('base64') })
    },
  }
}
