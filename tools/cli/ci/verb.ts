import type { Verb } from '../verb.ts'
import { MAX_USD_FLAG, SESSION_FLAGS } from '../common/shared-flags.ts'

export const ci: Verb = {
  name: 'ci',
  summary: 'Build what changed since a commit and compare it with the results of that commit.',
  flags: {
    '--base <commit>': ['compare with this commit or branch', 'main'],
    '--from <releases...>':
      'what the store lacks of the base, from these: releases by name, folder or tar.gz',
    '--suite <suites...>': "of these suites; else all of the workspace's",
    '--max-calls <count>': 'refuse to begin when it may take more provider calls',
    ...MAX_USD_FLAG,
    '--fail-if <clauses...>':
      'exit with 3 when one holds, in place of the gate, e.g. "any worsens > 0.02, holm < 0.05"',
    '--cluster-by <key>': 'key of the extra data that names what instances share, e.g. patient_id',
    '--allow-inconclusive': 'exit with 0, not 6, where too few instances settle a declared margin',
    '--format <format>': ['markdown, text, json or junit', 'markdown'],
    '--junit <file>': 'write a JUnit report to this file, too',
    '--allow-failures': 'compare runs in which some instances failed; exit with 0',
    '-n, --num-threads <count>': ['calls in flight per deployment', "the deployment's limit, else 32"],
    '-m, --max-eval-instances <count>': ['evaluated instances of each run', 'medmake.yaml, else 1000'],
    '-t, --num-train-trials <count>': 'trials with different in-context examples',
    ...SESSION_FLAGS,
  },
  examples: [
    'medmake ci --base main --max-calls 2000',
    'medmake ci --base main --fail-if "any worsens > 0.02, p < 0.05" --junit report.xml',
  ],
  load: async () => (await import('./action.ts')).ciAction,
}
