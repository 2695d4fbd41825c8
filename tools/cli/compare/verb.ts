import type { Verb } from '../verb.ts'
import { SESSION_FLAGS } from '../common/shared-flags.ts'

export const compare: Verb = {
  name: 'compare',
  summary: 'Compare two models on the same instances, or rank all with the doubt there is.',
  args: '[models|folders...]',
  flags: [
    { flags: '--suite <suites...>', description: "of these suites; else all of the workspace's" },
    {
      flags: '--models-to-run <models...>',
      description: 'only these models or deployments; built-in suites need them',
    },
    {
      flags: '--from <places...>',
      description:
        "read models' runs from these first: folders of HELM's files; releases by name, folder or tar.gz",
    },
    {
      flags: '--profiles <a,b>',
      description: 'no models, but two profiles: where the same replies score otherwise, and why',
    },
    { flags: '--metric <name>', description: "this metric instead of the benchmark's main one" },
    {
      flags: '--fail-if <clauses...>',
      description: 'exit with 3 when one holds, e.g. "jury_score drops > 0.1, p < 0.05"',
    },
    {
      flags: '--cluster-by <key>',
      description: 'key of the extra data that names what instances share, e.g. patient_id',
    },
    { flags: '--format <format>', description: 'text, markdown, json or junit', shownDefault: 'text' },
    { flags: '--allow-failures', description: 'take runs in which some instances failed' },
    {
      flags: '-m, --max-eval-instances <count>',
      description: 'as given to run',
      shownDefault: 'medmake.yaml, else 1000',
    },
    { flags: '-t, --num-train-trials <count>', description: 'as given to run' },
    ...SESSION_FLAGS,
  ],
  examples: [
    'medmake compare baseline/random-choice baseline/lexical-overlap --suite demo',
    'medmake compare --suite demo --format markdown',
    'medmake compare yesterday/benchmark_output benchmark_output',
    'medmake compare my/model openai/gpt-4o-2024-05-13 --from published-v2.tar.gz',
    'medmake compare --profiles helm-0.5.16,medhelm-0.8 --suite medhelm-0.8-public --models-to-run openai/gpt-4o-2024-05-13',
  ],
  load: async () => (await import('./action.ts')).compareAction,
}
