import type { Verb } from '../verb.ts'

export const summarize: Verb = {
  name: 'summarize',
  summary: "Write HELM's tables of a suite or a release.",
  flags: {
    '-o, --output-path <folder>': ['where the runs are', 'medmake.yaml, else benchmark_output'],
    '--suite <name>': ['summarise one suite in place', 'default'],
    '--release <name>': 'summarise --suites under this name',
    '--suites <names...>': 'the suites of the release',
    '--schema-path <file>': 'schema file (YAML or JSON)',
    '--auto-generate-schema': 'make the schema from the runs; done without --schema-path, too',
    '--schema-validation <mode>': ['error, warn or off', 'warn'],
    '--skip-completed-run-display-json': 'leave display files alone that exist',
    '--debug': 'name the runs of every cell in its description',
    '--local-path <folder>': [
      'model_metadata.yaml and model_deployments.yaml',
      'medmake.yaml, else prod_env',
    ],
  },
  hidden: {
    '-n, --num-threads <count>': 'no effect',
    '--allow-unknown-models <value>': 'no effect',
    '--summarizer-class-name <name>': 'not supported',
    '--log-config <file>': 'not supported',
  },
  asHelm: {
    example: 'helm-summarize --auto-generate-schema --suite DEMO --output-path ./benchmark_output',
  },
  examples: [
    'medmake summarize --suite demo',
    'medmake summarize --release v1 --suites public gated --schema-path schema_medhelm.yaml',
  ],
  load: async () => (await import('./action.ts')).summarizeAction,
}
