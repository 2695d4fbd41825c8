import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readSavedRun, type SavedRun } from '../../parity/stats/saved-run.ts'

/** Directories below `root` that hold a run. */
export const goldenRuns = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('scenario_state.json'))
    .map((file) => join(root, dirname(file)))
    .toSorted()

/** A golden run in our types; undefined where it cannot be recomputed. */
export const readGoldenRun = async (directory: string): Promise<SavedRun | undefined> => {
  const saved = await readSavedRun(directory)
  return 'reason' in saved ? undefined : saved
}
