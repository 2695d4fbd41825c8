import { isDeepStrictEqual } from 'node:util'
import { defined } from '../../cache/values/defined.ts'
import { z } from 'zod'
import { DATA_AGREEMENTS } from '../agreement/data-agreement.ts'
import type { YamlDocument } from '../../cache/problems/yaml-document.ts'
import type { Price } from '../prices/price.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'

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

const PerMillion = z.number().nonnegative('US dollars per million tokens, 0 or more')

/** An element of `prices:` in a models file. */
const PriceYaml = z.strictObject({
  deployment: z.string().min(1),
  input: PerMillion,
  cached_input: PerMillion.optional(),
  output: PerMillion,
  batch_input: PerMillion.optional(),
  batch_cached_input: PerMillion.optional(),
  batch_output: PerMillion.optional(),
  date: z.iso.date('a date like 2026-01-31'),
  source: z.string().min(1, 'where the price can be looked up, such as a URL'),
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

/** @param file as users see it */
export const priceFrom = (yaml: z.output<typeof PriceYaml>, file: string): Price =>
  defined({
    deployment: yaml.deployment,
    input: yaml.input,
    output: yaml.output,
    cachedInput: yaml.cached_input,
    batchInput: yaml.batch_input,
    batchCachedInput: yaml.batch_cached_input,
    batchOutput: yaml.batch_output,
    date: yaml.date,
    source: yaml.source,
    file,
  })

/** One file must not price a deployment twice. @throws ProblemError `models/price-twice` */
export const refuseTwoPrices = (
  prices: readonly { readonly deployment: string }[],
  document: Pick<YamlDocument, 'place'>,
): void =>
  refuseTwice(
    prices.map((value, index) => ({
      name: value.deployment,
      value,
      where: () => document.place(['prices', index, 'deployment']),
    })),
    { code: 'models/price-twice', what: 'is priced twice', remedy: 'Keep the price that holds.' },
  )

/** A declaration and where it stands. */
export interface DeclaredName {
  readonly name: string
  /** Looked for only in a file that is refused. */
  readonly where: () => Place
  /** What it says; one that says the same again does no harm, and HELM's own files hold such. */
  readonly value: unknown
}

/**
 * A thing must not be declared in two ways: whichever held, the other would be read and believed.
 *
 * @param what `is declared twice`, as the message goes on behind the name
 * @throws ProblemError with that code, a problem for each later one
 */
export const refuseTwice = (
  declared: readonly DeclaredName[],
  { code, what, remedy }: { readonly code: string; readonly what: string; readonly remedy: string },
): void => {
  const seen = new Map<string, DeclaredName>()
  const problems = declared.flatMap((each) => {
    const { name, where } = each
    const first = seen.get(name)
    if (first === undefined) {
      seen.set(name, each)
      return []
    }
    if (isDeepStrictEqual(first.value, each.value)) return []
    const { file, line } = first.where()
    const place = [file, line].filter((part) => part !== undefined).join(':')
    return [{ code, message: `${name} ${what}, first at ${place}`, where: where(), remedy }]
  })
  if (problems.length > 0) throw new ProblemError(problems)
}
