/** How the next token is taken from logits. */
export interface Sampling {
  /** 0: the likeliest. HELM's 1e-7 comes to the same. */
  readonly temperature: number
  readonly topP: number
  /** 0: all. */
  readonly topK: number
  readonly repetitionPenalty: number
}

export interface Chosen {
  readonly id: number
  /** Of the model itself, before penalty, temperature and cuts. */
  readonly logprob: number
  /** In the distribution that it was drawn from; 0 where the likeliest is taken. */
  readonly drawnLogprob: number
  /** Logits by which it leads the next token; Infinity where it was drawn. */
  readonly lead: number
}

/**
 * The next token, by transformers' rules and in their order: repetition penalty, temperature, top-k, top-p.
 * Of equal logits the lowest id wins.
 *
 * @param logits - one a token of the vocabulary; not changed
 * @param seen - tokens of prompt and answer so far
 * @param draw - uniform in [0, 1); unused at temperature 0
 */
export const chooseToken = (
  logits: Float32Array,
  seen: Iterable<number>,
  sampling: Sampling,
  draw: number,
): Chosen => {
  const scores =
    sampling.repetitionPenalty === 1 ? logits : penalised(logits, seen, sampling.repetitionPenalty)
  if (sampling.temperature < 1e-6) {
    const { id, lead } = likeliest(scores)
    return { id, lead, drawnLogprob: 0, logprob: logProbability(logits, id) }
  }
  const { id, logprob: drawnLogprob } = drawFrom(scores, sampling, draw)
  return { id, lead: Number.POSITIVE_INFINITY, drawnLogprob, logprob: logProbability(logits, id) }
}

const likeliest = (scores: Float32Array): { readonly id: number; readonly lead: number } => {
  let id = 0
  let best = Number.NEGATIVE_INFINITY
  let second = Number.NEGATIVE_INFINITY
  for (let index = 0; index < scores.length; index += 1) {
    const score = scores[index] ?? Number.NaN
    if (score > best) {
      second = best
      best = score
      id = index
    } else if (score > second) second = score
  }
  return { id, lead: best - second }
}

const penalised = (logits: Float32Array, seen: Iterable<number>, penalty: number): Float32Array => {
  const scores = logits.slice()
  for (const id of new Set(seen)) {
    const logit = logits[id]
    if (logit !== undefined) scores[id] = logit > 0 ? logit / penalty : logit * penalty
  }
  return scores
}

const logProbability = (logits: Float32Array, id: number): number => {
  let top = Number.NEGATIVE_INFINITY
  for (const logit of logits) if (logit > top) top = logit
  let sum = 0
  for (const logit of logits) sum += Math.exp(logit - top)
  return (logits[id] ?? Number.NaN) - top - Math.log(sum)
}

interface Candidate {
  readonly id: number
  readonly score: number
}

/** Inverts the cumulative distribution of what top-k and top-p leave, the likeliest first. */
const drawFrom = (
  scores: Float32Array,
  { temperature, topP, topK }: Sampling,
  draw: number,
): { readonly id: number; readonly logprob: number } => {
  const ranked = Array.from(scores, (score, id): Candidate => ({ id, score: score / temperature })).sort(
    (a, b) => b.score - a.score || a.id - b.id,
  )
  const kept = withinTopP(withinTopK(ranked, topK), topP)
  const weights = weightsOf(kept)
  const total = sum(weights)
  let left = draw * total
  let index = 0
  while (index < kept.length - 1 && left >= (weights[index] ?? 0)) {
    left -= weights[index] ?? 0
    index += 1
  }
  return { id: kept[index]?.id ?? 0, logprob: Math.log((weights[index] ?? 0) / total) }
}

/** Tokens that tie with the last one stay. */
const withinTopK = (ranked: readonly Candidate[], topK: number): readonly Candidate[] => {
  const last = topK > 0 ? ranked[topK - 1] : undefined
  return last === undefined ? ranked : ranked.filter(({ score }) => score >= last.score)
}

/** The fewest whose probabilities reach top-p; always one. */
const withinTopP = (ranked: readonly Candidate[], topP: number): readonly Candidate[] => {
  if (topP >= 1) return ranked
  const weights = weightsOf(ranked)
  const enough = topP * sum(weights)
  let reached = 0
  const count = weights.findIndex((weight) => (reached += weight) >= enough) + 1
  return ranked.slice(0, Math.max(1, count))
}

const weightsOf = (ranked: readonly Candidate[]): readonly number[] => {
  const top = ranked[0]?.score ?? 0
  return ranked.map(({ score }) => Math.exp(score - top))
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
