import { readdir, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { compareCodePoints } from '../../../benchmarks/python/text.ts'
import { isThere, unlessAbsent } from '../../../cache/files/read.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { foldersIn } from '../../helm/read-suite.ts'
import { RUN_FILES } from '../../helm/write/write-run.ts'

/**
 * Run directories in a folder and below it, ordered by path: those with a run spec and request states.
 * @throws ProblemError `release/no-runs`, `release/no-folder`
 */
export const findRuns = async (
  folder: string,
  matches: (name: string) => boolean,
): Promise<readonly string[]> => {
  if (!isThere(folder)) throw noFolder(folder)
  const runs: string[] = []
  const visit = async (directory: string, above: readonly string[]): Promise<void> => {
    const names = new Set(await orNone(readdir(directory)))
    if (names.has(RUN_FILES.runSpec) && names.has(RUN_FILES.scenarioState)) runs.push(directory)
    for (const name of await orNone(foldersIn(directory))) {
      const path = join(directory, name)
      const real = await realpath(path).catch(() => path)
      // A link may lead back to where it lies.
      if (!above.includes(real)) await visit(path, [...above, real])
    }
  }
  await visit(folder, [])
  const fitting = runs.filter((run) => matches(basename(run))).sort(compareCodePoints)
  if (fitting.length > 0) return fitting
  throw new ProblemError({
    code: 'release/no-runs',
    message: `there is no run that fits in ${folder}${runs.length === 0 ? '' : `: of ${runs.length} there no name matches`}`,
    where: { file: folder },
    remedy:
      'Name a benchmark_output, one of its suites or a run directory with scenario_state.json, or another --runs.',
  })
}

const noFolder = (folder: string): ProblemError =>
  new ProblemError({
    code: 'release/no-folder',
    message: `there is nothing at ${folder}`,
    where: { file: folder },
    remedy: 'Check the path; it is taken relative to the folder you run in.',
  })

/** What is no folder holds nothing. */
const orNone = (names: Promise<readonly string[]>): Promise<readonly string[]> =>
  names.catch((error: unknown) => unlessAbsent(error) ?? [])
