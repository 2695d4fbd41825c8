import { z } from 'zod'
import { DATA_AGREEMENTS } from '../agreement/data-agreement.ts'
import { PriceYaml } from '../prices/price-file.ts'

/** HELM's model_metadata.yaml, every key it knows. */
export const MetadataFile = z.strictObject({
  models: z.array(
    z.strictObject({
      name: z.string().min(1),
      creator_organization_name: z.string().default('Unknown'),
      display_name: z.string().optional(),
      description: z.string().optional(),
      access: z.enum(['open', 'limited', 'closed']).default('open'),
      release_date: z.iso.date('a date like 2026-01-31').optional(),
      tags: z.array(z.string()).default([]),
      num_parameters: z.number().optional(),
      deployment_names: z.array(z.string()).optional(),
    }),
  ),
})

const ObjectSpecYaml = z.strictObject({
  class_name: z.string().min(1),
  args: z.record(z.string(), z.unknown()).nullish(),
})

const Deployment = z.strictObject({
  name: z.string().min(1),
  model_name: z.string().optional(),
  tokenizer_name: z.string().optional(),
  client_spec: ObjectSpecYaml,
  window_service_spec: ObjectSpecYaml.optional(),
  max_sequence_length: z.int().positive().optional(),
  max_request_length: z.int().positive().optional(),
  /** HELM's fitting of prompts does not look at it. */
  max_sequence_and_generated_tokens_length: z.int().positive().optional(),
  deprecated: z.boolean().default(false),
  /** Ours, not HELM's. */
  limits: z
    .strictObject({
      concurrency: z.int().positive().optional(),
      requests_per_minute: z.number().positive().optional(),
      tokens_per_minute: z.number().positive().optional(),
      per_machine: z.boolean().optional(),
    })
    .default({}),
})

/** HELM's model_deployments.yaml, every key it knows, and our `limits`. */
export const DeploymentsFile = z.strictObject({ model_deployments: z.array(Deployment) })

/** HELM's tokenizer_configs.yaml, every key it knows. */
export const TokenizersFile = z.strictObject({
  tokenizer_configs: z.array(
    z.strictObject({
      name: z.string().min(1),
      tokenizer_spec: ObjectSpecYaml,
      end_of_text_token: z.string().optional(),
      prefix_token: z.string().optional(),
    }),
  ),
})

/** A file of a workspace's models/ folder: any of the lists. */
export const ModelsFile = z.strictObject({
  models: MetadataFile.shape.models.optional(),
  tokenizer_configs: TokenizersFile.shape.tokenizer_configs.optional(),
  model_deployments: z
    // Not in the local path's file: a flag names that one, and no reviewer sees it.
    .array(Deployment.extend({ data_agreement: z.enum(DATA_AGREEMENTS).optional() }))
    .optional(),
  prices: z.array(PriceYaml).optional(),
})

export type ModelsYaml = z.infer<typeof ModelsFile>
