import { z } from 'zod'
import { float, Float } from '../python/numbers/float.ts'
import { ADAPTER_DEFAULTS, type AdapterSpec } from '../scenario/adapter-spec.ts'

const Count = z.int().nonnegative()

/** The `adapter` section: HELM's AdapterSpec field names (HELM.md B4). What is left out has the builder's value. */
export const AdapterSection = z.strictObject({
  method: z.enum(['generation', 'multiple_choice_joint', 'chat']),
  global_prefix: z.string().optional(),
  global_suffix: z.string().optional(),
  instructions: z.string().optional(),
  input_prefix: z.string().optional(),
  input_suffix: z.string().optional(),
  reference_prefix: z.string().optional(),
  reference_suffix: z.string().optional(),
  output_prefix: z.string().optional(),
  output_suffix: z.string().optional(),
  instance_prefix: z.string().optional(),
  max_train_instances: Count.optional(),
  max_eval_instances: Count.optional(),
  num_outputs: Count.optional(),
  num_train_trials: Count.optional(),
  sample_train: z.boolean().optional(),
  temperature: z.union([z.number(), z.instanceof(Float)]).optional(),
  max_tokens: Count.optional(),
  stop_sequences: z.array(z.string()).optional(),
  eval_splits: z.array(z.enum(['train', 'valid', 'test'])).optional(),
  output_mapping_pattern: z.string().optional(),
})
export type AdapterSection = z.output<typeof AdapterSection>

/** What HELM's builders set beyond the dataclass defaults (HELM.md B4), with no nouns. */
const BUILDERS: Readonly<Record<AdapterSpec['method'], Partial<AdapterSpec>>> = {
  generation: {
    inputPrefix: '',
    outputPrefix: '',
    numOutputs: 1,
    maxTokens: 5,
    temperature: float(0),
    stopSequences: ['\n'],
  },
  multiple_choice_joint: {
    inputPrefix: '',
    outputPrefix: '',
    maxTokens: 1,
    temperature: float(0),
    stopSequences: ['\n'],
  },
  chat: { inputPrefix: '', outputPrefix: '', numOutputs: 1, temperature: float(0) },
}

/** The section as an adapter spec, without a model. */
export const adapterSpec = (section: AdapterSection): AdapterSpec => {
  const { method, ...rest } = section
  const given = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [camelCase(key), value])
  return { method, ...ADAPTER_DEFAULTS, ...BUILDERS[method], ...Object.fromEntries(given) }
}

const camelCase = (key: string): string =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
