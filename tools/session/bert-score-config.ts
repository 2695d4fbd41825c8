import { z } from 'zod'

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'it must be 64 hexadecimal digits')

/** A file in the workspace, or one fetched on first use and held to its digest. */
export const ConfiguredFile = z.union([
  z.strictObject({ path: z.string().min(1) }),
  z.strictObject({ url: z.url('it must be a URL'), sha256: Sha256 }),
])

const Share = z.number().min(-1).max(1)

/**
 * `bert_score` of medmake.yaml. Without it, as in HELM on a machine without a GPU, BERTScore is not computed.
 * The defaults of layer and name are those of MedHELM's distilbert-base-uncased.
 */
export const BertScoreConfig = z.strictObject({
  /** Shown, and part of the results' key. */
  name: z.string().min(1).default('distilbert-base-uncased'),
  revision: z.string().optional(),
  /** ONNX with an output `hidden_states.<layer>`. */
  model: ConfiguredFile,
  tokenizer: ConfiguredFile,
  tokenizer_config: ConfiguredFile,
  layer: z.int().nonnegative().default(5),
  /** JSON {"default": weight, "idf": {"<token id>": weight}}; without it all tokens weigh alike. */
  idf: z.string().optional(),
  /** What unrelated texts score, for rescaling. */
  baseline: z.strictObject({ precision: Share, recall: Share, f1: Share }).optional(),
  device: z.enum(['cpu', 'cuda']).default('cpu'),
})

export type BertScoreConfig = z.output<typeof BertScoreConfig>
export type ConfiguredFile = z.output<typeof ConfiguredFile>
