import { relative, resolve } from 'node:path'
import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import { plural } from '../../compare/number-text.ts'
import { findRuns } from '../../release/import/find-runs.ts'
import { redactRun } from '../../release/redact.ts'
import { boolFlag } from '../flags.ts'
import type { Action } from '../verb.ts'
import { runFilter } from '../common/run-filter.ts'

/** `medmake redact`: HELM's redact_annotations, and more. */
export const redactAction: Action = async ({ args, flags, cwd, print }) => {
  const [folder] = args
  if (folder === undefined)
    throw new ProblemError({
      code: 'cli/missing-argument',
      message: 'medmake redact wants a folder',
      remedy: 'Write `medmake redact benchmark_output/runs/demo`, for instance.',
    })
  const runs = await findRuns(resolve(cwd, folder), runFilter(flags))
  const texts = boolFlag(flags, 'texts')
  for (const run of runs) await redactRun(run, texts)
  if (boolFlag(flags, 'json')) print(JSON.stringify({ runs: runs.map((run) => relative(cwd, run)), texts }))
  else
    print(
      `redacted ${plural(runs.length, 'run')} in place; a site that was made of them before still shows their texts: make it anew from these files with \`medmake serve --export-path\``,
    )
  return EXIT.done
}
