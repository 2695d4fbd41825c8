import type { Access } from '../../benchmarks/scenario/benchmark.ts'
import { jurySample } from './jury-sample.ts'
import { metricSample } from './metric-sample.ts'
import { sampleData, type SampleData } from './sample-data.ts'
import { testSample } from './test-sample.ts'

/** What its author says of a benchmark that is to be made. */
export interface NewBenchmark {
  readonly name: string
  readonly description?: string
  readonly access: Access
  /** Of the simple form, without the author's own; may be empty beside one of these. */
  readonly metrics: readonly string[]
  /** A metric of the workspace that is made with it. */
  readonly ownMetric?: string
  /** Asked where `jury_score` is among the metrics. */
  readonly judges: readonly { readonly name: string; readonly model: string }[]
  /** Whose data it is, and under what licence. */
  readonly source?: string
  readonly licence?: string
  /** A table that stands in place of the sample. */
  readonly data?: SampleData
}

/** Where it goes: into a workspace, or among the built-in ones of a clone of medmake. */
export type Home = 'workspace' | 'clone'

export interface NewFiles {
  /** By path from the root; the first is the declaration. */
  readonly files: ReadonlyMap<string, string>
  /** To be added to NOTICE. */
  readonly notice: string
}

export const JURY = 'jury_score'

/** Folder of a benchmark from the root. */
export const folderOf = (name: string, home: Home): string =>
  `benchmarks/${home === 'clone' ? 'catalog/' : ''}${name}`

/** The files of a benchmark that runs as it stands, to be edited. Pure. */
export const newBenchmark = (wanted: NewBenchmark, home: Home): NewFiles => {
  const { name, metrics, ownMetric } = wanted
  const folder = folderOf(name, home)
  const isText = ownMetric !== undefined || metrics.some((metric) => metric !== 'exact_match')
  const { text, prompt } = wanted.data ?? sampleData(isText)
  const test = testSample(name, home)
  return {
    files: new Map([
      [`${folder}/benchmark.yaml`, declaration(wanted, isText, home)],
      [`${folder}/prompt.txt`, prompt],
      [`${folder}/data.csv`, text],
      ...(metrics.includes(JURY) ? [[`${folder}/rubric.txt`, jurySample] as const] : []),
      ...(ownMetric === undefined
        ? []
        : [[`targets/metrics/${ownMetric}.ts`, metricSample(ownMetric)] as const]),
      [test.file, test.text],
    ]),
    notice: noticeLine(wanted, folder),
  }
}

/** The text of NOTICE with that line; as it is where it has it. */
export const withNotice = (text: string, line: string): string => {
  if (text.includes(line)) return text
  const before = text === '' ? 'Data that this workspace holds, and whose it is.\n' : text
  return `${before}${before.endsWith('\n') ? '' : '\n'}\n${line}\n`
}

const noticeLine = ({ source = 'source not stated', licence = 'unchecked' }: NewBenchmark, folder: string) =>
  `${folder} holds data of: ${source}. Licence: ${licence}.`

const declaration = (
  { name, description, access, metrics, ownMetric, judges, licence }: NewBenchmark,
  isText: boolean,
  home: Home,
): string => {
  const up = home === 'clone' ? '../../..' : '../../node_modules/medmake'
  return [
    `# yaml-language-server: $schema=${up}/dist/schemas/benchmark.schema.json`,
    `# Run entries call it ${name}:model=… . \`medmake benchmark check ${name}\` tries it.`,
    `name: ${name}`,
    `description: ${JSON.stringify(description ?? 'What a reader should know of it in one sentence.')}`,
    '# public: its text may go to any model; gated, private: only to those with a data_agreement.',
    `access: ${access}`,
    ...(licence === undefined
      ? ['# licence: of the data; checked: { licence: where you read it }']
      : [`licence: ${JSON.stringify(licence)}`]),
    '# Its place among the categories of `medmake taxonomy`, once it has one:',
    '# category: Clinical Note Generation',
    '# subcategory: Documenting Patient Visits',
    'prompt_file: prompt.txt # columns of the data in braces',
    'dataset_file: data.csv # correct_answer, and incorrect_answers if wanted, are the references',
    `max_tokens: ${isText ? 200 : 20}`,
    'metrics: # the first is the main one; `medmake metrics` says what each is',
    ...[...(ownMetric === undefined ? [] : [ownMetric]), ...metrics].flatMap((metric) =>
      metric === JURY ? juryLines(judges) : [`  - name: ${metric}`],
    ),
    '',
  ].join('\n')
}

const juryLines = (judges: NewBenchmark['judges']): readonly string[] => [
  `  - name: ${JURY}`,
  '    prompt_file: rubric.txt',
  '    scale: [1, 5] # what lies outside is told, and left out',
  '    judges: # name: a deployment of `medmake models`',
  ...judges.map(({ name, model }) => `      - { name: ${name}, model_name: ${model} }`),
]
