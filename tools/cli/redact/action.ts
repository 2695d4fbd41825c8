import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { sweepStaged } from '../../../cache/files/write.ts'
import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { findRuns } from '../../release/import/find-runs.ts'
import { RELEASE_FILE } from '../../release/release-file.ts'
import { redactRun } from '../../release/redact.ts'
import { boolFlag, missingArgument } from '../flags.ts'
import type { Action } from '../verb.ts'
import { runFilter } from '../common/built-runs.ts'

/** `medmake redact`: HELM's redact_annotations, and more. */
export const redactAction: Action = async ({ args, flags, cwd, print, warn }) => {
  const [folder] = args
  if (folder === undefined)
    throw missingArgument(
      'medmake redact wants a folder',
      'Write `medmake redact benchmark_output/runs/demo`, for instance.',
    )
  const found = await findRuns(resolve(cwd, folder), runFilter(flags))
  const released = found.filter(isReleased)
  const runs = found.filter((run) => !released.includes(run))
  if (runs.length === 0)
    throw new ProblemError({
      code: 'release/no-runs',
      message: `what ${folder} holds is a release, whose digests would hold no more`,
      where: { file: resolve(cwd, folder) },
      remedy: 'Redact the runs that it is of, and make another with `medmake release create`.',
    })
  if (released.length > 0)
    warn(
      `left as they are, as their digests would hold no more: ${plural(released.length, 'run')} of releases. Make another of the redacted runs with \`medmake release create\`, and delete these and their tar.gz, where they hold what is not to stay.`,
    )
  await sweepAll(resolve(cwd, folder))
  const texts = boolFlag(flags, 'texts')
  for (const run of runs) await redactRun(run, texts)
  if (boolFlag(flags, 'json')) print(JSON.stringify({ runs: runs.map((run) => relative(cwd, run)), texts }))
  else
    print(
      `redacted ${plural(runs.length, 'run')} in place; a site that was made of them before still shows their texts: make it anew from these files with \`medmake serve --export-path\``,
    )
  return EXIT.done
}

/** What writers left that were killed holds the texts, too. */
const sweepAll = async (folder: string): Promise<void> => {
  sweepStaged(folder, 0)
  // Not by its namesake that returns at once, which from Node 22 on follows links.
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) sweepStaged(join(entry.parentPath, entry.name), 0)
}

/** Whether a folder above it holds what a release says of its files. */
const isReleased = (directory: string): boolean => {
  const above = dirname(directory)
  return existsSync(join(directory, RELEASE_FILE)) || (above !== directory && isReleased(above))
}
