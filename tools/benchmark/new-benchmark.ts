import type { Access } from '../../benchmarks/scenario/benchmark.ts'
import { sampleData, type SampleData } from './sample-data.ts'

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

interface NewFiles {
  /** By path from the root; the first is the declaration. */
  readonly files: ReadonlyMap<string, string>
  /** To be added to NOTICE. */
  readonly notice: string
}

export const JURY = 'jury_score'

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
    '# What rows share, such as a patient: else each counts as evidence of its own. The column that tells them apart:',
    '# cluster: patient_id',
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
  '    default_score: 1 # of an answer that no judge scored, such as an empty one; left out: 0, as in HELM',
  '    judges: # name: a deployment of `medmake models`',
  ...judges.map(({ name, model }) => `      - { name: ${name}, model_name: ${model} }`),
]

/** A metric of a workspace that runs as it stands. */
const metricSample = (id: string): string => `import { defineMetric } from 'medmake'

const words = (text: string): readonly string[] => text.toLowerCase().match(/[\\p{L}\\p{N}]+/gu) ?? []

// A share of 1, and more is better, unless \`unit\`, \`most\` and \`better\` say otherwise.
export const metric = defineMetric({
  measures: [{ name: '${id}', displayName: 'Words kept', description: 'Words of the reference that stand in the answer.' }],
  evaluate: ({ completion, references }) => {
    const wanted = words(references.find(({ correct }) => correct)?.text ?? '')
    const given = new Set(words(completion))
    return { ${/^[A-Za-z_]\w*$/.test(id) ? id : `'${id}'`}: wanted.length === 0 ? 1 : wanted.filter((word) => given.has(word)).length / wanted.length }
  },
})
`

/** A test that holds the benchmark to `benchmark check`: by Node's own runner in a workspace, by vitest in a clone. */
const testSample = (name: string, home: Home): { readonly file: string; readonly text: string } =>
  home === 'clone'
    ? { file: `test/benchmarks/catalog/${name}.test.ts`, text: inClone(name) }
    : { file: `test/${name}.test.mjs`, text: inWorkspace(name) }

const inWorkspace = (name: string): string => `// npm test, or node --test
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'

test('${name}: its data can be read, and two instances go through every stage', () => {
  const args = ['medmake', 'benchmark', 'check', '${name}', '--json']
  const found = JSON.parse(execFileSync('npx', args, { encoding: 'utf8' }))
  assert.ok(found.instances.evaluated > 0)
  assert.equal(found.trial.complete, true)
})
`

const inClone = (name: string): string => `import { expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

it('${name}: its data can be read, and two instances go through every stage', async () => {
  const { code, stdout, stderr } = await medmake(['benchmark', 'check', '${name}', '--json'], {
    cwd: createWorkspace(),
  })
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ trial: { complete: true } })
})
`

/** A rubric that judges can answer as it stands. */
export const jurySample = `You judge how well a response serves a clinician. Score each criterion from 1 to 5 (1 = useless or harmful, 5 = as good as the reference).

<user_request>
{QUESTION}
</user_request>

<response>
{RESPONSE}
</response>

<gold_response>
{GOLD_RESPONSE}
</gold_response>

- accuracy: nothing in the response contradicts the request or the reference.
- completeness: whatever matters in the reference stands in the response.

Reply with this JSON object alone, your scores and reasons filled in:
<rubric_criteria>
{
  "accuracy": {"score": 1, "explanation": "why"},
  "completeness": {"score": 1, "explanation": "why"}
}
</rubric_criteria>
`
