import type { Verb } from '../verb.ts'
import { dialectFlags, JSON_FLAG, OUTPUT_FLAG, SESSION_FLAGS } from '../common/shared-flags.ts'

export const release: Verb = {
  name: 'release',
  summary: 'Pack finished runs so that anyone can check and repeat them; take over published results.',
  args: '[command] [name|folder|tar.gz...]',
  commands: {
    create: 'pack runs with what is needed to check and repeat them',
    verify: 'check a release against its own digests, and its signature',
    reproduce: "build a release's runs again, from its replies or by asking a model",
    import: "take HELM's published runs, or those of a release, into the store",
  },
  flags: {
    '--suites <names...>': "create: what goes in; else all of the workspace's suites",
    '--include-text <benchmarks...>': 'create: release the texts of these gated or private benchmarks, too',
    '--ratings':
      "create: release clinicians' ratings of public benchmarks, too: scores and digests, from five of a rater on",
    '--schema-path <file>': 'create: schema of the tables; else one is made from the runs',
    '--replace': 'create: in the place of one of this name that holds something else',
    '--sign <key>': 'create: sign release.json with this SSH key, so that ssh-keygen -Y verify can check it',
    '--signers <file>': "verify: one of these must have signed it (ssh-keygen's file of allowed signers)",
    '--model <name>': "reproduce: ask this model the release's own requests",
    '--suite <name>': ['reproduce --model: folder under runs/ for the new runs', '<name>-again'],
    '--database <files...>': ['reproduce: SQLite files on which answers were run', "the workspace's data"],
    '--runs <pattern>': 'import: only runs whose name matches this regular expression',
    '-m, --max-eval-instances <count>': ['create: as given to run', 'medmake.yaml, else 1000'],
    ...OUTPUT_FLAG,
    '-n, --num-threads <count>': 'calls in flight per deployment; downloads of an import',
    ...SESSION_FLAGS,
    // A release is read as it was made.
    ...dialectFlags('create, import: '),
    ...JSON_FLAG,
  },
  examples: [
    'medmake release create v1 --suites demo',
    'medmake release verify v1.tar.gz --signers publisher.keys',
    'medmake release reproduce v1 --model baseline/first-choice',
    'medmake release import gs://crfm-helm-public/medhelm/benchmark_output/runs/v2.0.0 --runs "^medication_qa"',
  ],
  load: async () => (await import('./action.ts')).releaseAction,
}
