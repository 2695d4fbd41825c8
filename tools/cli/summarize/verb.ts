import type { Verb } from '../verb.ts'

export const summarize: Verb = {
  name: 'summarize',
  summary: "Write HELM's tables of a suite or a release.",
  flags: [
    {
      flags: '-o, --output-path <folder>',
      description: 'where the runs are',
      shownDefault: 'benchmark_output',
    },
    { flags: '--suite <name>', description: 'summarise one suite in place', shownDefault: 'default' },
    { flags: '--release <name>', description: 'summarise --suites under this name' },
    { flags: '--suites <names...>', description: 'the suites of the release' },
    { flags: '--schema-path <file>', description: 'schema file (YAML or JSON)' },
    {
      flags: '--auto-generate-schema',
      description: 'make the schema from the runs; done without --schema-path, too',
    },
    { flags: '--schema-validation <mode>', description: 'error, warn or off', shownDefault: 'warn' },
    { flags: '--skip-completed-run-display-json', description: 'leave display files alone that exist' },
    {
      flags: '--local-path <folder>',
      description: 'model_metadata.yaml and model_deployments.yaml',
      shownDefault: 'prod_env',
    },
    { flags: '-n, --num-threads <count>', description: 'no effect', hidden: true },
    { flags: '--debug', description: 'not supported', hidden: true },
    { flags: '--allow-unknown-models <value>', description: 'no effect', hidden: true },
    { flags: '--summarizer-class-name <name>', description: 'not supported', hidden: true },
    { flags: '--log-config <file>', description: 'not supported', hidden: true },
  ],
  examples: [
    'medmake summarize --suite demo',
    'medmake summarize --release v1 --suites public gated --schema-path schema_medhelm.yaml',
  ],
  load: async () => (await import('./action.ts')).summarizeAction,
}
