import type { Verb } from '../verb.ts'
import { MAX_USD_FLAG, SESSION_FLAGS } from '../common/shared-flags.ts'

export const ci: Verb = {
  name: 'ci',
  summary: 'Build what changed since a commit and compare it with the results of that commit.',
  flags: [
    { flags: '--base <commit>', description: 'compare with this commit or branch', shownDefault: 'main' },
    {
      flags: '--from <releases...>',
      description: 'what the store lacks of the base, from these: releases by name, folder or tar.gz',
    },
    { flags: '--suite <suites...>', description: "of these suites; else all of the workspace's" },
    { flags: '--max-calls <count>', description: 'refuse to begin when it may take more provider calls' },
    MAX_USD_FLAG,
    {
      flags: '--fail-if <clauses...>',
      description: 'exit with 3 when one holds, in place of the gate, e.g. "any worsens > 0.02, holm < 0.05"',
    },
    {
      flags: '--cluster-by <key>',
      description: 'key of the extra data that names what instances share, e.g. patient_id',
    },
    {
      flags: '--allow-inconclusive',
      description: 'exit with 0, not 6, where too few instances settle a declared margin',
    },
    { flags: '--format <format>', description: 'markdown, text, json or junit', shownDefault: 'markdown' },
    { flags: '--junit <file>', description: 'write a JUnit report to this file, too' },
    { flags: '--allow-failures', description: 'compare runs in which some instances failed; exit with 0' },
    {
      flags: '-n, --num-threads <count>',
      description: 'calls in flight per deployment',
      shownDefault: "the deployment's limit, else 32",
    },
    {
      flags: '-m, --max-eval-instances <count>',
      description: 'evaluated instances of each run',
      shownDefault: 'medmake.yaml, else 1000',
    },
    { flags: '-t, --num-train-trials <count>', description: 'trials with different in-context examples' },
    ...SESSION_FLAGS,
  ],
  examples: [
    'medmake ci --base main --max-calls 2000',
    'medmake ci --base main --fail-if "any worsens > 0.02, p < 0.05" --junit report.xml',
  ],
  load: async () => (await import('./action.ts')).ciAction,
}
