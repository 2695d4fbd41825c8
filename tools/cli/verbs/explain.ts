import type { Verb } from '../verb.ts'

export const explain: Verb = {
  name: 'explain',
  summary: 'Say, stage by stage, what a run would do again and which change is the cause.',
  args: '<run>',
  flags: [
    { flags: '-c, --conf-paths <files...>', description: "run-entry files; else the workspace's suites" },
    { flags: '-r, --run-entries <entries...>', description: 'run entries' },
    {
      flags: '-m, --max-eval-instances <count>',
      description: 'as given to run',
      shownDefault: 'medmake.yaml, else 1000',
    },
    { flags: '-t, --num-train-trials <count>', description: 'as given to run' },
    { flags: '--local-path <folder>', description: 'as given to run', shownDefault: 'prod_env' },
    { flags: '--store <folder>', description: 'the cache', shownDefault: 'cache/store' },
    { flags: '--mirror <folder>', description: 'take dataset URLs from this folder' },
    { flags: '--json', description: 'print one JSON object' },
  ],
  examples: [
    'medmake explain "demo_multiple_choice:model=baseline_first-choice"',
    'medmake explain demo_multiple_choice',
  ],
  load: async () => (await import('../actions/explain.ts')).explainAction,
}
