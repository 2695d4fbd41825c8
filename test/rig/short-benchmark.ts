import type { Files } from './workspace.ts'

interface ShortYaml {
  readonly name: string
  /** Left out unless given. */
  readonly access?: string
  readonly category?: string
  readonly maxTokens?: number
  /** None, and there is no rubric. */
  readonly judges?: readonly string[]
  /** The main one first, `jury_score` for the jury's; that alone, or `exact_match` where nobody judges, unless given. */
  readonly metrics?: readonly string[]
}

/** A benchmark.yaml in the short form, with its texts in prompt.txt and rubric.txt and its data in data.csv. */
export const shortYaml = ({
  name,
  access,
  category,
  maxTokens = 20,
  judges = [],
  metrics = [judges.length > 0 ? 'jury_score' : 'exact_match'],
}: ShortYaml): string =>
  [
    `name: ${name}`,
    'description: Short answers.',
    ...(access === undefined ? [] : [`access: ${access}`]),
    ...(category === undefined ? [] : [`category: ${category}`]),
    'prompt_file: prompt.txt',
    'dataset_file: data.csv',
    `max_tokens: ${maxTokens}`,
    'metrics:',
    ...metrics.flatMap((metric) => [
      `  - name: ${metric}`,
      ...(metric === 'jury_score'
        ? [
            '    prompt_file: rubric.txt',
            '    judges:',
            ...judges.map((judge) => `      - {name: ${judge}, model_name: ${judge}}`),
          ]
        : []),
    ]),
    '',
  ].join('\n')

/** Of one criterion, accuracy. */
export const RUBRIC = `Judge {RESPONSE} to {QUESTION}.
<rubric_criteria>
{"accuracy": {"score": 0, "explanation": "why"}}
</rubric_criteria>
`

/** All its files; the rubric, `RUBRIC` unless given, is there where somebody judges. */
export const shortBenchmark = (
  yaml: ShortYaml,
  {
    data,
    prompt = 'Summarise: {note}',
    rubric = RUBRIC,
  }: { readonly data: string; readonly prompt?: string; readonly rubric?: string },
): Files => ({
  [`benchmarks/${yaml.name}/benchmark.yaml`]: shortYaml(yaml),
  [`benchmarks/${yaml.name}/prompt.txt`]: prompt,
  ...((yaml.judges ?? []).length === 0 ? {} : { [`benchmarks/${yaml.name}/rubric.txt`]: rubric }),
  [`benchmarks/${yaml.name}/data.csv`]: data,
})
