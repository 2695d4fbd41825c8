/** A workspace of benchmarks × models, for measurements and tests. */
export interface Grid {
  readonly benchmarks: number
  readonly models: number
  /** Instances of each benchmark. */
  readonly rows: number
  /** Chat server that serves the models; embedded models unless given. */
  readonly url?: string
  /** Calls in flight per model, with a server. */
  readonly concurrency?: number
  /** Of the benchmarks; `public` unless given. Texts of private ones go to the vault. */
  readonly access?: 'public' | 'private'
}

const EMBEDDED = ['random-choice', 'first-choice', 'lexical-overlap', 'lead'] as const

export const numbered = (letter: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index).padStart(2, '0')}`)

/** The workspace's files by path: `benchmarks/b00/…`, `models/m00.yaml`, the suite `targets/grid.conf`. */
export const gridFiles = (grid: Grid): Readonly<Record<string, string>> => {
  const benchmarks = numbered('b', grid.benchmarks)
  const models = numbered('m', grid.models)
  const entries = benchmarks.flatMap((benchmark) => models.map((model) => gridEntry(benchmark, model)))
  return {
    'medmake.yaml': `max_eval_instances: ${grid.rows}\n`,
    'targets/grid.conf': gridConf(entries),
    ...Object.assign({}, ...benchmarks.map((name) => benchmarkFiles(name, grid.rows, grid.access))),
    ...Object.fromEntries(
      models.map((name, index) => [`models/${name}.yaml`, modelYaml(name, index, grid)] as const),
    ),
  }
}

export const gridEntry = (benchmark: string, model: string): string => `${benchmark}:model=grid/${model}`

export const gridConf = (entries: readonly string[]): string =>
  `entries: [\n${entries.map((entry) => `  {description: "${entry}", priority: 1}\n`).join('')}]\n`

export const benchmarkFiles = (
  name: string,
  rows: number,
  access: NonNullable<Grid['access']> = 'public',
): Readonly<Record<string, string>> => ({
  [`benchmarks/${name}/benchmark.yaml`]: `name: ${name}\naccess: ${access}\ndescription: Made up.\nmax_tokens: 16\nmetrics: [{name: exact_match}]\n`,
  [`benchmarks/${name}/prompt.txt`]: `Benchmark ${name}. {question}\nA. yes\nB. no\nAnswer with a letter.\nAnswer: `,
  [`benchmarks/${name}/data.csv`]: dataCsv(name, rows),
})

export const dataCsv = (name: string, rows: number): string =>
  `question,correct_answer\n${Array.from({ length: rows }, (_, row) => `Is ${row} of ${name} even?,${row % 2 === 0 ? 'A' : 'B'}\n`).join('')}`

const modelYaml = (name: string, index: number, { url, concurrency = 32 }: Grid): string => {
  const client =
    url === undefined
      ? `{class_name: medmake.baseline, args: {name: ${EMBEDDED[index % EMBEDDED.length]}}}`
      : `{class_name: medmake.chat, args: {base_url: "${url}", model: ${name}}}`
  const limits = url === undefined ? '' : `    limits: {concurrency: ${concurrency}}\n`
  return `model_deployments:\n  - name: grid/${name}\n${limits}    client_spec: ${client}\n`
}
