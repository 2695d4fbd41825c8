import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseYaml } from '../../cache/yaml-document.ts'
import { AgreementsConfig } from './agreements-config.ts'
import { BertScoreConfig } from './bert-score-config.ts'
import { BudgetConfig } from './budget-config.ts'
import { checkDocument } from '../../cache/zod-problems.ts'
import { DEFAULT_COVERAGE_FLOOR } from '../../targets/aggregate/board-cell.ts'
import { DEFAULT_RETRY } from '../../models/retry.ts'
import { PROFILES } from '../../targets/profile.ts'

const Suite = z.strictObject({
  /** Evaluated instances of each run. */
  max_eval_instances: z.int().positive().optional(),
  num_train_trials: z.int().positive().optional(),
})

/** medmake.yaml: a workspace's defaults. Flags win over it. Paths are relative to the workspace. */
const ConfigFile = z.strictObject({
  max_eval_instances: z.int().positive().default(1000),
  num_train_trials: z.int().positive().default(1),
  output_path: z.string().default('benchmark_output'),
  local_path: z.string().default('prod_env'),
  store: z.string().default('cache/store'),
  data: z.string().default('cache/data'),
  /** A folder that serves dataset URLs without network, for air-gapped sites. */
  mirror: z.string().optional(),
  /** Calls in flight per deployment where the deployment sets no limit of its own. */
  concurrency: z.int().positive().optional(),
  /** Seconds until an attempt is given up. */
  timeout: z.number().positive().default(600),
  /**
   * Seconds before which no attempt is given up, however fast the server answered others of its size; from then on one
   * that takes eight times as long as those is. The same as `timeout` switches that off.
   */
  shortest_timeout: z.number().positive().default(10),
  /** Megabytes of a reply; a longer one is given up. */
  max_reply_mb: z.number().positive().max(500).default(16),
  /** How often a call is tried while the server or the network fails; rejections (429) do not count. */
  attempts: z.int().positive().default(DEFAULT_RETRY.attempts),
  /** How often a call is tried while the server rejects it for too many requests (429). */
  rejections: z.int().positive().default(DEFAULT_RETRY.rejections),
  bert_score: BertScoreConfig.optional(),
  budget: BudgetConfig.optional(),
  /** The dialect in which replies and judges' scores are read. */
  profile: z.enum(PROFILES).default('helm-0.5.16'),
  /** Known faults of benchmarks: all as HELM has them, or put right, or by benchmark the ids of those to put right. */
  errata: z
    .union([z.enum(['reproduced', 'corrected']), z.record(z.string(), z.array(z.string()))])
    .default('reproduced'),
  /** A model is ranked in a benchmark where at least this share of its requests was measured. */
  coverage_floor: z.number().min(0).max(1).default(DEFAULT_COVERAGE_FLOOR),
  /** Rows of a data set that can't be used are left out and told, instead of ending the run. */
  skip_bad_rows: z.boolean().default(false),
  data_agreements: AgreementsConfig.default({}),
  /** A file with the vault's key, outside of git; MEDMAKE_VAULT_KEY wins, else it is ~/.config/medmake/vault.key. */
  vault_key_file: z.string().optional(),
  suites: z.record(z.string(), Suite).default({}),
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
