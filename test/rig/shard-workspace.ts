import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { canary } from './canary.ts'
import { modelsYaml } from './fake-server.ts'
import { RUN_FILES, timelessFile } from './helm-run-files.ts'
import { shortBenchmark } from './short-benchmark.ts'
import { createWorkspace, type Files } from './workspace.ts'

const MODELS = ['fake/a', 'fake/b', 'fake/judge']

export interface ShardWorkspaceOptions {
  readonly rows: number
  /** Of each deployment; as `limits` in YAML. */
  readonly limits?: string
  readonly files?: Files
  /** Without the private benchmark. */
  readonly open?: boolean
}

/**
 * Two models on a public benchmark with a judge and on a private one, whose notes are planted identifiers. A token
 * that a model writes costs a tenth of a cent, one of a judge nothing.
 */
export const shardWorkspace = (
  server: { readonly url: string },
  { rows, limits = '{concurrency: 64}', files = {}, open = false }: ShardWorkspaceOptions,
): string => {
  const benchmark = (name: string, access: string, judges: readonly string[] = []): Files =>
    shortBenchmark(
      { name, access, judges },
      {
        prompt: `${name}: {note}`,
        data: `note,correct_answer\n${Array.from({ length: rows }, (_, row) => `${access === 'public' ? `note ${row}` : canary(row)},yes`).join('\n')}\n`,
      },
    )
  const names = open ? ['judged'] : ['judged', 'closed']
  const entries = names.flatMap((name) =>
    ['fake/a', 'fake/b'].map((model) => `{description: "${name}:model=${model}"}`),
  )
  return createWorkspace({
    'models/fake.yaml': modelsYaml(server, MODELS, limits),
    'models/prices.yaml': `prices:\n${MODELS.map((name) => `  - {deployment: ${name}, input: 0, output: ${name === 'fake/judge' ? 0 : 1000}, date: 2026-01-01, source: contract}\n`).join('')}`,
    ...benchmark('judged', 'public', ['fake/judge']),
    ...(open ? {} : benchmark('closed', 'private')),
    'targets/main.conf': `entries: [${entries.join(', ')}]`,
    ...files,
  })
}

/** Whatever a model answers, both answer the same: their judge is asked once. */
export const alike = ({ model, prompt }: { readonly model: string; readonly prompt: string }): string =>
  model === 'fake/judge'
    ? `{"accuracy": {"score": ${1 + (prompt.length % 5)}, "explanation": ""}}`
    : `an answer to ${prompt.length}`

/** Result files of all runs of a suite, times struck out. */
export const resultFiles = (cwd: string, suite = 'main'): unknown => {
  const folder = join(cwd, 'benchmark_output/runs', suite)
  return readdirSync(folder)
    .filter((run) => existsSync(join(folder, run, 'stats.json')))
    .map((run) => RUN_FILES.map((file) => [run, file, timelessFile(join(folder, run), file)]))
}
