import { join } from 'node:path'
import { z } from 'zod'
import { readFile } from '../../../cache/files/read.ts'
import { parseYaml } from '../../../cache/problems/yaml-document.ts'
import { checkDocument } from '../../../cache/problems/zod-problems.ts'
import { DEFAULT_COVERAGE_FLOOR } from '../../../targets/board/board-cell.ts'
import { DEFAULT_RETRY } from '../../../models/retry.ts'
import { PROFILES } from '../../../targets/profile.ts'
import { DATA_AGREEMENTS, type DeclaredAgreement } from '../../../models/agreement/data-agreement.ts'
import type { Cap } from '../../../targets/spend/cap.ts'

const DEFAULT_PATH = 'cache/store'
/** Less than a scheduler takes to start a lost node's work elsewhere: Slurm's own timeouts add up to 7 minutes. */
const DEFAULT_LEASE = 60

const Level = z.enum(DATA_AGREEMENTS)

const AgreementsConfig = z
  .record(
    z.string(),
    z.union([
      Level,
      z.strictObject({ level: Level, host: z.string().min(1, 'a host name without port').toLowerCase() }),
    ]),
  )
  .meta({
    description:
      'By deployment: up to which access its text may be sent there, and to which host; without host the one of its declaration in models/.',
    examples: [
      '{ openai/gpt-4o-2024-05-13: gated, azure/gpt-4o: { level: private, host: ours.openai.azure.com } }',
    ],
  })

export const agreementsOf = (
  config: z.output<typeof AgreementsConfig>,
): ReadonlyMap<string, DeclaredAgreement> =>
  new Map(
    Object.entries(config).map(([name, each]) => [name, typeof each === 'string' ? { level: each } : each]),
  )

const Usd = z.number().nonnegative('US dollars, 0 or more')

const Limits = { max_usd: Usd.optional(), per_day: Usd.optional() }

export const BudgetConfig = z
  .strictObject({
    max_usd: Limits.max_usd.meta({
      description: 'What a run may cost at most; --max-usd wins over it.',
      examples: ['20'],
    }),
    per_day: Limits.per_day.meta({
      description: 'What all runs on this store may cost between two midnights, UTC.',
      examples: ['50'],
    }),
    deployments: z
      .record(z.string(), z.strictObject(Limits))
      .default({})
      .meta({
        description: 'The same for calls to single deployments, as models or as judges.',
        examples: ['{ openai/gpt-4o-2024-05-13: { max_usd: 5, per_day: 10 } }'],
      }),
    confirm_above: Usd.optional().meta({
      description: 'A run that may cost more asks before it starts; --yes goes on unasked.',
      examples: ['5'],
    }),
  })
  .describe('What may be spent, US dollars. A run stops before a cap is passed, exit 4.')

export type Budget = z.output<typeof BudgetConfig>

/** Every cap that a run stands under. */
export const capsOf = (budget: Budget | undefined, maxUsd: number | undefined): readonly Cap[] => {
  const caps: Cap[] = []
  const add = (cap: Omit<Cap, 'usd'>, usd: number | undefined): void => {
    if (usd !== undefined) caps.push({ ...cap, usd })
  }
  if (maxUsd === undefined) add({ period: 'run', name: 'budget.max_usd' }, budget?.max_usd)
  else add({ period: 'run', name: '--max-usd' }, maxUsd)
  add({ period: 'day', name: 'budget.per_day' }, budget?.per_day)
  for (const [deployment, limits] of Object.entries(budget?.deployments ?? {})) {
    const name = `budget.deployments.${deployment}`
    add({ period: 'run', deployment, name: `${name}.max_usd` }, limits.max_usd)
    add({ period: 'day', deployment, name: `${name}.per_day` }, limits.per_day)
  }
  return caps
}

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

/** Empty it would be the workspace itself; of `~/evals` a folder of that name would be made in it. */
const Path = z.string().regex(/^(?!~(?:\/|$))./, 'it must be a path, and ~ stands for no folder in it')

const Parts = z.strictObject({
  path: Path.default(DEFAULT_PATH),
  tier: Path.optional(),
  lease_seconds: z.number().positive().default(DEFAULT_LEASE),
})

/** Where results are kept: a folder of this machine, and what it shares with others. */
const StoreConfig = z
  .union([Path.transform((path) => Parts.parse({ path })), Parts])
  .prefault(DEFAULT_PATH)
  .describe(
    'The store of all results, on a disk of this machine; the vault lies beside it. --store and MEDMAKE_STORE win. With `tier`, a folder that several machines reach or s3://bucket/prefix, what they paid for is shared; a task that lost it begins no call after lease_seconds: { path: cache/store, tier: /project/evals, lease_seconds: 60 }.',
  )

const Suite = z.strictObject({
  max_eval_instances: z.int().positive().optional(),
  num_train_trials: z.int().positive().optional(),
  /** Who answers a built-in suite, where --models-to-run names none. */
  models: z.array(z.string().min(1)).min(1).optional(),
})

/**
 * medmake.yaml: a workspace's defaults. Flags win over it. Paths are relative to the workspace. The descriptions are what
 * `medmake settings` shows; what has no default has an example.
 */
export const ConfigFile = z.strictObject({
  max_eval_instances: z.int().positive().default(1000).describe('Evaluated instances of each run.'),
  num_train_trials: z
    .int()
    .positive()
    .optional()
    .meta({
      description:
        'Trials of each run, with different in-context examples; else as many as its entry or benchmark says, or 1.',
      examples: ['3'],
    }),
  suites: z
    .record(z.string(), Suite)
    .default({})
    .meta({
      description:
        'The two above for single suites, by the name of their file in targets/; for built-in ones also the models that answer.',
      examples: [
        '{ monthly: { max_eval_instances: 200, num_train_trials: 3 } }',
        '{ medhelm-0.8-public: { models: [openai/gpt-4o-2024-05-13] } }',
      ],
    }),
  profile: z
    .enum(PROFILES)
    .default('helm-0.5.16')
    .describe("The dialect in which replies and judges' scores are read."),
  errata: z
    .union([z.enum(['reproduced', 'corrected']), z.record(z.string(), z.array(z.string()))])
    .default('reproduced')
    .describe(
      'Known faults of benchmarks: reproduced as HELM has them, corrected, or by benchmark the ids of those to correct: { head_qa: [some-id] }.',
    ),
  skip_bad_rows: z
    .boolean()
    .default(false)
    .describe("Rows of a data set that can't be used are left out and told, instead of ending the run."),
  coverage_floor: z
    .number()
    .min(0)
    .max(1)
    .default(DEFAULT_COVERAGE_FLOOR)
    .describe('A model is ranked in a benchmark where at least this share of its requests was measured.'),
  margins: z
    .record(z.string(), z.number().positive())
    .default({})
    .describe(
      'By benchmark the loss of its main metric, in its units, that `medmake ci` bears; wins over benchmark.yaml.',
    ),
  pooled_margin: z
    .number()
    .positive()
    .lt(1)
    .optional()
    .meta({
      description:
        'The same of the mean loss over all benchmarks that a change touches, as a share of their scales.',
      examples: ['0.02'],
    }),
  bert_score: BertScoreConfig.optional(),
  output_path: Path.default('benchmark_output').describe("Where runs, tables and the site go (HELM's)."),
  local_path: Path.default('prod_env').describe(
    'Folder of model_deployments.yaml, model_metadata.yaml, tokenizer_configs.yaml, credentials.conf.',
  ),
  store: StoreConfig,
  data: Path.default('cache/data').describe('Where data sets and model files that were fetched lie.'),
  mirror: Path.optional().meta({
    description:
      'A folder that serves the URLs of data sets without network, for air-gapped sites. --mirror and MEDMAKE_MIRROR win.',
    examples: ['/srv/medmake-mirror'],
  }),
  vault_key_file: Path.optional().meta({
    description:
      "A file with the vault's key, outside of git. MEDMAKE_VAULT_KEY wins; without both it is ~/.config/medmake/vault.key.",
    examples: ['/etc/medmake/vault.key'],
  }),
  rating_files: z
    .enum(['public', 'gated', 'private'])
    .default('public')
    .describe(
      'Texts of which benchmarks `medmake rate pack` may put into sealed files for raters; those of others stay on this machine.',
    ),
  data_agreements: AgreementsConfig.default({}),
  budget: BudgetConfig.optional(),
  concurrency: z
    .int()
    .positive()
    .optional()
    .meta({
      description: 'Calls in flight per deployment where the deployment sets no lower limit; else 32.',
      examples: ['8'],
    }),
  timeout: z.number().positive().default(600).describe('Seconds until an attempt is given up.'),
  shortest_timeout: z
    .number()
    .positive()
    .default(10)
    .describe(
      'Seconds before which no attempt is given up; from then on one is that takes eight times as long as others of its size. The same as timeout switches that off.',
    ),
  code_timeout: z
    .number()
    .positive()
    .default(60)
    .describe(
      'Seconds that a scenario, metric, annotator or client of the workspace may compute without a pause; a loop without end is ended then.',
    ),
  max_reply_mb: z
    .number()
    .positive()
    .max(500)
    .default(16)
    .describe('Megabytes of a reply; a longer one is given up.'),
  attempts: z
    .int()
    .positive()
    .default(DEFAULT_RETRY.attempts)
    .describe(
      'How often a call is tried while the server or the network fails; rejections (429) do not count. A server that never answered is looked for once.',
    ),
  rejections: z
    .int()
    .positive()
    .default(DEFAULT_RETRY.rejections)
    .describe('How often a call is tried while the server rejects it for too many requests (429).'),
})

export type Config = z.output<typeof ConfigFile>

/** @throws ProblemError `config/…` with file, line and column */
export const readConfig = async (workspace: string): Promise<Config> => {
  const file = join(workspace, 'medmake.yaml')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const document = parseYaml(text, file, { room: 'config' })
  return checkDocument(ConfigFile, { ...document, value: document.value ?? {} }, 'config')
}
