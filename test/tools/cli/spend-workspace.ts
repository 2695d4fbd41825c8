import { createHash } from 'node:crypto'
import type { FakeAnswer, FakeCall } from '../../bench/fake-answer.ts'
import type { FakeServer } from '../../bench/fake-server.ts'
import { modelsYaml } from '../../rig/fake-server.ts'
import { medmake, type CliResult } from '../../rig/medmake.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'

/** US dollars per million tokens. */
export const PRICE = { input: 1000, output: 10_000 }
export const MAX_TOKENS = 30

/** 1 to 30 words, drawn from the prompt: within what the requests allow. */
export const wordy = ({ model, prompt }: FakeCall): FakeAnswer => {
  const bytes = createHash('sha256').update(`${model}\n${prompt}`).digest()
  return Array.from({ length: 1 + ((bytes[0] ?? 0) % MAX_TOKENS) }, () => 'word').join(' ')
}

/** What the models are asked of a row. */
export const promptOf = (row: number): string => `Summarise note q${row}\n`

/** The most that a call of these workspaces may be charged: every byte a token, 64 for the template. */
export const ceilingOf = (prompt: string, maxTokens = MAX_TOKENS): number =>
  ((Buffer.byteLength(prompt) + 64) * PRICE.input + maxTokens * PRICE.output) / 1e6

export const pricesYaml = (...names: readonly string[]): string =>
  `prices:\n${names
    .map(
      (name) =>
        `  - { deployment: ${name}, input: ${PRICE.input}, output: ${PRICE.output}, date: 2026-01-01, source: contract }\n`,
    )
    .join('')}`

/** One benchmark, a suite for each model. */
export const spendWorkspace = (
  server: Pick<FakeServer, 'url'>,
  {
    rows,
    models = ['fake/a'],
    access = 'public',
    files = {},
  }: {
    readonly rows: number
    readonly models?: readonly string[]
    readonly access?: string
    readonly files?: Files
  },
): string =>
  createWorkspace({
    ...shortBenchmark(
      { name: 'notes', access, maxTokens: MAX_TOKENS },
      {
        prompt: 'Summarise note {question}',
        data: `question,correct_answer\n${Array.from({ length: rows }, (_, row) => `q${row},a\n`).join('')}`,
      },
    ),
    'models/fake.yaml': modelsYaml(server, models, '{concurrency: 8}'),
    'models/prices.yaml': pricesYaml(...models),
    ...Object.fromEntries(
      models.map((model) => [
        `targets/${model.replace('fake/', '')}.conf`,
        `entries: [{ description: "notes:model=${model}", priority: 1 }]\n`,
      ]),
    ),
    ...files,
  })

export interface SpendTotal {
  readonly name: string
  readonly calls: number
  readonly usd: number
  readonly unknownCalls: number
  readonly uncertainAttempts: number
  readonly uncertainUsd: number | null
}

export interface SpendReport {
  readonly day: readonly SpendTotal[]
  readonly model: readonly SpendTotal[]
  readonly judge: readonly SpendTotal[]
  readonly total: SpendTotal
  readonly abandonedUsd: number
}

export const spendOf = async (cwd: string): Promise<SpendReport> =>
  JSON.parse((await medmake(['spend', '--json'], { cwd })).stdout) as SpendReport

/** The object that `--json` prints. */
export const printed = ({ stdout }: Pick<CliResult, 'stdout'>): unknown => JSON.parse(stdout)
