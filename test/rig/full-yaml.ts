interface FullYaml {
  readonly name: string
  readonly access?: string
  /** Lines beside these at the top. */
  readonly top?: readonly string[]
  /** What rows of data.csv share, a column of theirs. */
  readonly cluster?: string
  readonly input?: string
  /** The right answer. */
  readonly answer?: string
  readonly main?: string
}

/** The benchmark.yaml of a benchmark in the full form: questions in data.csv, each with its answer. */
export const fullYaml = ({
  name,
  access = 'public',
  top = [],
  cluster,
  input = '{question}\\nA. yes\\nB. no\\n',
  answer = '{answer}',
  main = 'exact_match',
}: FullYaml): string => `name: ${name}
description: Invented.
access: ${access}
${[...(cluster === undefined ? [] : [`cluster: ${cluster}`]), ...top].map((line) => `${line}\n`).join('')}protocols:
  - version: medmake-1
    data: { rows: { path: data.csv, format: csv } }
    instances:
      - from: rows
        split: test
${cluster === undefined ? '' : `        cluster: '{${cluster}}'\n`}        input: "${input}"
        references: [{ text: '${answer}', correct: true }]
    adapter: { method: generation, max_train_instances: 0, max_tokens: 4 }
    metrics: [exact_match]
    main_metric: { name: ${main}, split: test }
`
