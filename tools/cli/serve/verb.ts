import { TIER_FLAG } from '../common/shared-flags.ts'
import type { Verb } from '../verb.ts'

export const serve: Verb = {
  name: 'serve',
  summary: 'Show the leaderboard in the browser, from a report or from HELM’s own files.',
  flags: {
    '-p, --port <number>': ['port', '8000, else the next free one'],
    '--host <address>': ['address to serve on', '127.0.0.1'],
    '-o, --output-path <folder>': ['where results are', 'medmake.yaml, else benchmark_output'],
    '--site <folder>': ['a site that report wrote', '<output-path>/site'],
    '--suite <name>': 'a suite under runs/',
    '--release <name>': 'a release under releases/',
    '--export-path <folder>': 'write the site with the files of public runs here and exit',
    '--include-restricted':
      'show texts of gated and private benchmarks, too: on this machine, to whoever opens the printed address first',
    '--watch': 'show how a run in parts fills its board: what its tier holds, made anew time and again',
    ...TIER_FLAG,
    '--every <seconds>': ['with --watch: how often to look, and pages to reload', '30'],
    '--local-path <folder>': ['model_deployments.yaml, model_metadata.yaml', 'medmake.yaml, else prod_env'],
    '--cache-output-path <folder>': ['served as /cache/output/', 'prod_env/cache/output'],
  },
  hidden: { '--project <name>': 'no effect: there is one front-end' },
  asHelm: { example: 'helm-server --suite DEMO --output-path ./benchmark_output' },
  examples: [
    'medmake serve',
    'medmake serve --suite DEMO --output-path ./benchmark_output',
    'medmake serve --watch --tier /project/evals --suite monthly',
  ],
  load: async () => (await import('./action.ts')).serveAction,
}
