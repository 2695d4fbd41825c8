import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { modelsYaml } from '../rig/fake-server.ts'
import { staysDatabase } from '../rig/stays.ts'
import { createWorkspace, type Files } from '../rig/workspace.ts'

const TABLE = `note,correct_answer,incorrect_answers
note 1,yes,[]
note 2,yes,[]
note 3,yes,[]
note 4,yes,[]
`
const PROMPT = 'Answer about {note}.\n'

const RUBRIC = `Rate {RESPONSE} to {QUESTION} from 1 to 5.
<rubric_criteria>
{"accuracy": {"score": 1, "explanation": ""}}
</rubric_criteria>
`

const folder = (name: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([file, text]) => [`benchmarks/${name}/${file}`, text]))

/** A benchmark whose answer is `yes`. */
export const plainBenchmark = (name: string, table = TABLE): Files =>
  folder(name, {
    'benchmark.yaml': `name: ${name}\ndescription: d\naccess: public\nmax_tokens: 5\nmetrics: [{name: exact_match}]\n`,
    'prompt.txt': PROMPT,
    'data.csv': table,
  })

/** A benchmark that one judge scores from 1 to 5. */
export const judgedBenchmark = (name: string, judge: string): Files =>
  folder(name, {
    'benchmark.yaml': `name: ${name}
description: d
access: public
metrics:
  - {name: jury_score, prompt_file: judge.txt, scale: [1, 5], judges: [{name: ${judge}, model_name: ${judge}}]}
`,
    'prompt.txt': PROMPT,
    'judge.txt': RUBRIC,
    'data.csv': TABLE,
  })

export interface FullBenchmark {
  readonly name: string
  readonly table: string
  readonly reference: string
  readonly metrics: string
  readonly main: string
  readonly extra?: string
  readonly data?: string
}

/** A benchmark in the full form, over a table with the column `note`. */
export const fullBenchmark = ({
  name,
  table,
  reference,
  metrics,
  main,
  extra = '',
  data = '',
}: FullBenchmark): Files =>
  folder(name, {
    'benchmark.yaml': `name: ${name}
display_name: ${name}
description: d
access: public
protocols:
  - version: '1'
    data:
      rows: {path: rows.csv, format: csv}
${data}
    instances:
      - from: rows
        split: test
        input: '{note}'
        references: [${reference}]
${extra}
    adapter: {method: generation, max_train_instances: 0, max_tokens: 5, stop_sequences: []}
    metrics: [${metrics}]
    main_metric: {name: ${main}, split: test}
`,
    'rows.csv': table,
  })

/** @param suites run entries (`benchmark:model=name`) by suite */
export const faultWorkspace = (
  url: string,
  files: Files,
  suites: Readonly<Record<string, readonly string[]>>,
): string => {
  const entries = Object.values(suites).flat()
  const models = entries.map((entry) => entry.slice(entry.indexOf('=') + 1))
  const judges = Object.values(files).flatMap((text) =>
    [...text.matchAll(/name: (fake\/judge_[\w-]+),/g)].map(([, name]) => name ?? ''),
  )
  return createWorkspace({
    'medmake.yaml': 'timeout: 3\nattempts: 2\nrejections: 2\n',
    'models/models.yaml': modelsYaml({ url }, [...new Set([...models, ...judges])]),
    ...Object.fromEntries(
      Object.entries(suites).map(([suite, names]) => [
        `targets/${suite}.conf`,
        `entries: [\n${names.map((name) => `  {description: "${name}", priority: 1}\n`).join('')}]\n`,
      ]),
    ),
    ...files,
  })
}

export const putDatabase = async (root: string, name: string): Promise<void> =>
  writeFileSync(join(root, `benchmarks/${name}/stays.sqlite`), await staysDatabase([]))
