interface JudgedYaml {
  readonly name: string
  readonly judges: readonly string[]
  /** Left out unless given. */
  readonly access?: string
  readonly category?: string
  /** Metrics behind the jury's. */
  readonly metrics?: readonly string[]
}

/** The benchmark.yaml of short answers that a jury reads, with its texts in prompt.txt and rubric.txt, its data in data.csv. */
export const judgedYaml = ({ name, judges, access, category, metrics = [] }: JudgedYaml): string =>
  [
    `name: ${name}`,
    'description: Short answers that a jury reads.',
    ...(access === undefined ? [] : [`access: ${access}`]),
    ...(category === undefined ? [] : [`category: ${category}`]),
    'prompt_file: prompt.txt',
    'dataset_file: data.csv',
    'max_tokens: 20',
    'metrics:',
    '  - name: jury_score',
    '    prompt_file: rubric.txt',
    '    judges:',
    ...judges.map((judge) => `      - {name: ${judge}, model_name: ${judge}}`),
    ...metrics.map((metric) => `  - name: ${metric}`),
    '',
  ].join('\n')
