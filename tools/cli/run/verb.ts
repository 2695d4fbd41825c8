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
  flags: {
    ...ENTRY_FLAGS,
    ...OUTPUT_FLAG,
    '-n, --num-threads <count>': ['calls in flight per deployment', "the deployment's limit, else 32"],
    '--skip-completed-runs': 'leave runs alone whose five files exist',
    '--exit-on-error': 'stop at the first run that fails, and at an entry that is unknown',
    '-d, --dry-run': 'print what would run; write nothing, call nothing',
    ...MAX_USD_FLAG,
    '--confirm': 'tell what it may cost and ask before any call',
    '-y, --yes': 'do not ask, whatever it may cost',
    '--batch': "ask by the providers' batch interfaces, at their lower price; run again to collect",
    '--wait': 'with --batch: wait for the batches and go on',
    ...TIER_FLAG,
    '--shard <i/n>':
      'ask only what falls to part i, from 0, of n: 3/16, or auto with --shards under a scheduler',
    '--shards <n>': 'with --shard auto: how many parts there are',
    '--plan <digest>': 'with --shard: end unless all parts are split by this plan',
    '--stored-only': 'ask nobody: build from the replies that are stored',
    '--allow-failures': 'write runs in which some instances failed; exit with 0',
    '--enable-huggingface-models <models...>':
      'run these in process: ONNX repositories of the Hub, ns/name[@revision]',
    '--enable-local-huggingface-models <paths...>':
      'run these in process: folders, as huggingface/<their names>',
    ...JSON_FLAG,
    ...SESSION_FLAGS,
  },
  hidden: {
    '--run-specs <entries...>': 'the same, deprecated',
    '--cache-instances': 'no effect: instances are always cached',
    '--batch-size <count>': 'not supported',
    '--disable-cache': 'not supported',
    '--skip-instances': 'not supported',
    '--cache-instances-only': 'not supported',
    '--server-url <url>': 'not supported',
    '--api-key-path <file>': 'not supported',
    '--mongo-uri <uri>': 'not supported',
    '--runner-class-name <name>': 'not supported',
    '--plugins <names...>': 'not supported',
    '--log-config <file>': 'not supported',
  },
  asHelm: {
    flags: {
      '-c, --conf-paths <files...>': 'run-entry files (HOCON)',
      '-m, --max-eval-instances <count>': 'evaluated instances of each run; required',
      '-t, --num-train-trials <count>': [
        'trials with different in-context examples',
        'as the entry says, else 1',
      ],
    },
    example:
      'helm-run --conf-paths ./exact_match_demo.conf --max-eval-instances 2 --suite DEMO --output-path ./benchmark_output',
  },
  examples: [
    'medmake run demo',
    'medmake run medhelm-0.8-public --models-to-run openai/gpt-4o-2024-05-13 --max-usd 100',
    'medmake run monthly --tier /project/evals --shard 3/16',
    'medmake run --run-entries "demo_multiple_choice:model=baseline/first-choice" --suite try -m 10',
  ],
  load: async () => (await import('./action.ts')).runAction,
}
