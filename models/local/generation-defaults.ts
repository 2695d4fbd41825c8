import { ProblemError } from '../../cache/problems/problem.ts'

/** What a model's own files say of how it is sampled, as transformers takes it where a request says nothing. */
export interface GenerationDefaults {
  /** Tokens that end an answer. */
  readonly eos: ReadonlySet<number>
  /** Likeliest tokens that are drawn from; 0: all. */
  readonly topK: number
  /** Divides the logits of tokens that came before; 1: none. */
  readonly repetitionPenalty: number
  /** Tokens the model was made for, prompt and answer together. */
  readonly context?: number
}

type Settings = Readonly<Record<string, unknown>>

/** transformers' own where a model's generation_config.json names none. */
const TOP_K = 50

/** Settings that would alter answers and have no counterpart here, with the values at which they do nothing. */
const NEUTRAL: Readonly<Record<string, readonly unknown[]>> = {
  bad_words_ids: [],
  begin_suppress_tokens: [],
  diversity_penalty: [0],
  encoder_no_repeat_ngram_size: [0],
  encoder_repetition_penalty: [1],
  epsilon_cutoff: [0],
  eta_cutoff: [0],
  forced_bos_token_id: [],
  forced_eos_token_id: [],
  guidance_scale: [1],
  min_length: [0],
  min_new_tokens: [0],
  min_p: [0],
  no_repeat_ngram_size: [0],
  num_beams: [1],
  penalty_alpha: [0],
  sequence_bias: [],
  stop_strings: [],
  suppress_tokens: [],
  typical_p: [1],
}

/**
 * Reads config.json and generation_config.json. A request's temperature, top-p and length win over the model's.
 *
 * @throws ProblemError `models/local-config` for a setting that would alter answers and can't be kept
 */
export const generationDefaults = (
  config: Settings,
  generation: Settings,
  folder: string,
): GenerationDefaults => {
  const unkept = Object.entries(NEUTRAL).find(([name, neutral]) => {
    const value = generation[name] ?? null
    return value !== null && !neutral.includes(value) && !(Array.isArray(value) && value.length === 0)
  })
  if (unkept !== undefined)
    throw unusable(
      folder,
      unkept[0],
      `${unkept[0]} can't be kept`,
      'Take it out if answers without it will do.',
    )
  const eos = [generation['eos_token_id'] ?? config['eos_token_id'] ?? []].flat()
  if (!eos.every((id) => Number.isInteger(id)) || eos.length === 0)
    throw unusable(
      folder,
      'eos_token_id',
      'no token ends an answer',
      'Write eos_token_id: the id of a token.',
    )
  return {
    eos: new Set(eos as number[]),
    topK: numberOf(generation['top_k']) ?? TOP_K,
    repetitionPenalty: numberOf(generation['repetition_penalty']) ?? 1,
    ...contextOf(config),
  }
}

const contextOf = (config: Settings): { readonly context?: number } => {
  const context = numberOf(config['max_position_embeddings']) ?? numberOf(config['n_positions'])
  return context === undefined ? {} : { context }
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const unusable = (folder: string, field: string, why: string, remedy: string): ProblemError =>
  new ProblemError({
    code: 'models/local-config',
    message: `the model's settings can't be used: ${why}`,
    where: { file: `${folder}/generation_config.json`, field },
    remedy,
  })
