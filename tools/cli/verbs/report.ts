import type { Verb } from '../verb.ts'

export const report: Verb = {
  name: 'report',
  summary: "Write the leaderboard of what was run, as a site and as HELM's tables, and print it.",
  args: '[suites...]',
  flags: [
    { flags: '-c, --conf-paths <files...>', description: "run-entry files; else the workspace's suites" },
    { flags: '-r, --run-entries <entries...>', description: 'run entries' },
    { flags: '--models-to-run <models...>', description: 'only these models or deployments' },
    { flags: '--groups-to-run <groups...>', description: 'only benchmarks of these groups' },
    { flags: '--priority <number>', description: 'drop entries with a greater priority number' },
    {
      flags: '-m, --max-eval-instances <count>',
      description: 'as given to run',
      shownDefault: 'medmake.yaml, else 1000',
    },
    { flags: '-t, --num-train-trials <count>', description: 'as given to run' },
    {
      flags: '--suite <name>',
      description: 'folder under runs/ for --conf-paths and --run-entries',
      shownDefault: 'default',
    },
    {
      flags: '-o, --output-path <folder>',
      description: 'where results go',
      shownDefault: 'benchmark_output',
    },
    { flags: '--site <folder>', description: 'where the site goes', shownDefault: '<output-path>/site' },
    { flags: '--allow-failures', description: 'take runs in which some instances failed' },
    { flags: '--local-path <folder>', description: 'as given to run', shownDefault: 'prod_env' },
    { flags: '--store <folder>', description: 'the cache', shownDefault: 'cache/store' },
    { flags: '--mirror <folder>', description: 'take dataset URLs from this folder' },
    { flags: '--json', description: 'print one JSON object' },
  ],
  examples: ['medmake report demo', 'medmake report demo --site public --json'],
  load: async () => (await import('../actions/report.ts')).reportAction,
}
