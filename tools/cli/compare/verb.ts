import type { Verb } from '../verb.ts'
import { FAILURES_FLAG, SESSION_FLAGS } from '../common/shared-flags.ts'

export const compare: Verb = {
  name: 'compare',
  summary: 'Compare two models on the same instances, or rank all with the doubt there is.',
  args: '[models|folders...]',
  flags: {
    '--suite <suites...>': "of these suites; else all of the workspace's",
    '--models-to-run <models...>': 'only these models or deployments; built-in suites need them',
    '--from <places...>':
      "read models' runs from these first: folders of HELM's files; releases by name, folder or tar.gz",
    '--profiles <a,b>': 'no models, but two profiles: where the same replies score otherwise, and why',
    '--metric <name>': "this metric instead of the benchmark's main one",
    '--fail-if <clauses...>': 'exit with 3 when one holds, e.g. "jury_score drops > 0.1, p < 0.05"',
    '--cluster-by <key>': 'key of the extra data that names what instances share, e.g. patient_id',
    '--format <format>': ['text, markdown, json or junit', 'text'],
    ...FAILURES_FLAG,
    '-m, --max-eval-instances <count>': ['as given to run', 'medmake.yaml, else 1000'],
    '-t, --num-train-trials <count>': 'as given to run',
    ...SESSION_FLAGS,
  },
  examples: [
    'medmake compare baseline/random-choice baseline/lexical-overlap --suite demo',
    'medmake compare --suite demo --format markdown',
    'medmake compare yesterday/benchmark_output benchmark_output',
    'medmake compare my/model openai/gpt-4o-2024-05-13 --from published-v2.tar.gz',
    'medmake compare --profiles helm-0.5.16,medhelm-0.8 --suite medhelm-0.8-public --models-to-run openai/gpt-4o-2024-05-13',
  ],
  load: async () => (await import('./action.ts')).compareAction,
}
