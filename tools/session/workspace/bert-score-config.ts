import { z } from 'zod'

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'it must be 64 hexadecimal digits')

/** A file in the workspace, or one fetched on first use and held to its digest. */
export const ConfiguredFile = z.union([
  z.strictObject({ path: z.string().min(1) }),
  z.strictObject({ url: z.url('it must be a URL'), sha256: Sha256 }),
])

const Share = z.number().min(-1).max(1)

export const BertScoreConfig = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .default('distilbert-base-uncased')
      .describe("The encoder's name, shown and part of the results' key."),
    revision: z
      .string()
      .optional()
      .meta({
        description: 'Its revision, shown likewise.',
        examples: ['12040accade4e8a0f71eabdb258fecc2e7e948be'],
      }),
    model: ConfiguredFile.meta({
      description: 'An ONNX file with an output hidden_states.<layer>: a path, or a URL with its digest.',
      examples: ['{ path: encoders/distilbert.onnx }'],
    }),
    tokenizer: ConfiguredFile.meta({
      description: "The encoder's tokenizer.json.",
      examples: ['{ path: encoders/tokenizer.json }'],
    }),
    tokenizer_config: ConfiguredFile.meta({
      description: "The encoder's tokenizer_config.json.",
      examples: ['{ path: encoders/tokenizer_config.json }'],
    }),
    layer: z.int().nonnegative().default(5).describe('Whose hidden states are compared.'),
    idf: z
      .string()
      .optional()
      .meta({
        description:
          'JSON {"default": weight, "idf": {"<token id>": weight}}; without it all tokens weigh alike.',
        examples: ['encoders/idf.json'],
      }),
    baseline: z
      .strictObject({ precision: Share, recall: Share, f1: Share })
      .optional()
      .meta({
        description: 'What unrelated texts score, for rescaling.',
        examples: ['{ precision: 0.67, recall: 0.67, f1: 0.67 }'],
      }),
    device: z.enum(['cpu', 'cuda']).default('cpu').describe('Where the encoder runs.'),
  })
  .describe(
    'The encoder of BERTScore; it wants onnxruntime-node. Without it, as in HELM on a machine without a GPU, BERTScore is not computed. The defaults are those of MedHELM.',
  )

export type BertScoreConfig = z.output<typeof BertScoreConfig>
export type ConfiguredFile = z.output<typeof ConfiguredFile>
