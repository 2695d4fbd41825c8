import { TIER_FLAG } from '../common/shared-flags.ts'
import type { Verb } from '../verb.ts'

export const serve: Verb = {
  name: 'serve',
  summary: 'Show the leaderboard in the browser, from a report or from HELM’s own files.',
  flags: [
    { flags: '-p, --port <number>', description: 'port', shownDefault: '8000, else the next free one' },
    { flags: '--host <address>', description: 'address to serve on', shownDefault: '127.0.0.1' },
    {
      flags: '-o, --output-path <folder>',
      description: 'where results are',
      shownDefault: 'benchmark_output',
    },
    { flags: '--site <folder>', description: 'a site that report wrote', shownDefault: '<output-path>/site' },
    { flags: '--suite <name>', description: 'a suite under runs/' },
    { flags: '--release <name>', description: 'a release under releases/' },
    {
      flags: '--export-path <folder>',
      description: 'write the site with the files of public runs here and exit',
    },
    {
      flags: '--include-restricted',
      description:
        'show texts of gated and private benchmarks, too: on this machine, to whoever opens the printed address first',
    },
    {
      flags: '--watch',
      description: 'show how a run in parts fills its board: what its tier holds, made anew time and again',
    },
    TIER_FLAG,
    {
      flags: '--every <seconds>',
      description: 'with --watch: how often to look, and pages to reload',
      shownDefault: '30',
    },
    {
      flags: '--local-path <folder>',
      description: 'model_deployments.yaml, model_metadata.yaml',
      shownDefault: 'prod_env',
    },
    {
      flags: '--cache-output-path <folder>',
      description: 'served as /cache/output/',
      shownDefault: 'prod_env/cache/output',
    },
    { flags: '--project <name>', description: 'no effect: there is one front-end', hidden: true },
  ],
  examples: [
    'medmake serve',
    'medmake serve --suite DEMO --output-path ./benchmark_output',
    'medmake serve --watch --tier /project/evals --suite monthly',
  ],
  load: async () => (await import('./action.ts')).serveAction,
}
