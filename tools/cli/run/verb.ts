import type { Verb } from '../verb.ts'
import {
  ENTRY_FLAGS,
  JSON_FLAG,
  MAX_USD_FLAG,
  OUTPUT_FLAG,
  SESSION_FLAGS,
  TIER_FLAG,
} from '../common/shared-flags.ts'

export const run: Verb = {
  name: 'run',
  summary: 'Evaluate models on benchmarks; only what changed is run.',
  args: '[suites...]',
  flags: [
    ...ENTRY_FLAGS,
    { flags: '--run-specs <entries...>', description: 'the same, deprecated', hidden: true },
    OUTPUT_FLAG,
    {
      flags: '-n, --num-threads <count>',
      description: 'calls in flight per deployment',
      shownDefault: "the deployment's limit, else 32",
    },
    { flags: '--skip-completed-runs', description: 'leave runs alone whose five files exist' },
    {
      flags: '--exit-on-error',
      description: 'stop at the first run that fails, and at an entry that is unknown',
    },
    { flags: '-d, --dry-run', description: 'print what would run; write nothing, call nothing' },
    MAX_USD_FLAG,
    { flags: '--confirm', description: 'tell what it may cost and ask before any call' },
    { flags: '-y, --yes', description: 'do not ask, whatever it may cost' },
    {
      flags: '--batch',
      description: "ask by the providers' batch interfaces, at their lower price; run again to collect",
    },
    { flags: '--wait', description: 'with --batch: wait for the batches and go on' },
    TIER_FLAG,
    {
      flags: '--shard <i/n>',
      description:
        'ask only what falls to part i, from 0, of n: 3/16, or auto with --shards under a scheduler',
    },
    { flags: '--shards <n>', description: 'with --shard auto: how many parts there are' },
    { flags: '--plan <digest>', description: 'with --shard: end unless all parts are split by this plan' },
    { flags: '--stored-only', description: 'ask nobody: build from the replies that are stored' },
    { flags: '--allow-failures', description: 'write runs in which some instances failed; exit with 0' },
    {
      flags: '--enable-huggingface-models <models...>',
      description: 'run these in process: ONNX repositories of the Hub, ns/name[@revision]',
    },
    {
      flags: '--enable-local-huggingface-models <paths...>',
      description: 'run these in process: folders, as huggingface/<their names>',
    },
    JSON_FLAG,
    ...SESSION_FLAGS,
    { flags: '--cache-instances', description: 'no effect: instances are always cached', hidden: true },
    { flags: '--disable-cache', description: 'not supported', hidden: true },
    { flags: '--skip-instances', description: 'not supported', hidden: true },
    { flags: '--cache-instances-only', description: 'not supported', hidden: true },
    { flags: '--server-url <url>', description: 'not supported', hidden: true },
    { flags: '--api-key-path <file>', description: 'not supported', hidden: true },
    { flags: '--mongo-uri <uri>', description: 'not supported', hidden: true },
    { flags: '--runner-class-name <name>', description: 'not supported', hidden: true },
    { flags: '--plugins <names...>', description: 'not supported', hidden: true },
    { flags: '--log-config <file>', description: 'not supported', hidden: true },
  ],
  examples: [
    'medmake run demo',
    'medmake run medhelm-0.8-public --models-to-run openai/gpt-4o-2024-05-13 --max-usd 100',
    'medmake run monthly --tier /project/evals --shard 3/16',
    'medmake run --run-entries "demo_multiple_choice:model=baseline/first-choice" --suite try -m 10',
  ],
  load: async () => (await import('./action.ts')).runAction,
}
