import { dirname } from 'node:path/posix'
import { writeInstances } from '../emit/emit.ts'
import { runFolder } from '../paths.ts'
import type { SiteRun, SiteSuite } from '../site.ts'

/**
 * Writes the files of a run's instances when the first of them is asked for, and all of them once. Of a thousand runs a
 * reader opens a few.
 *
 * @param path of a file below the site's folder
 */
export const instancesOnRequest = (
  directory: string,
  suites: readonly SiteSuite[],
): ((path: string) => Promise<void>) => {
  const runs = new Map<string, SiteRun>(
    suites.flatMap((suite) =>
      suite.runs.map((run) => [runFolder(run.facts.suite, run.facts.name), run] as const),
    ),
  )
  const begun = new Map<string, Promise<void>>()
  return async (path) => {
    const folder = dirname(path)
    const run = runs.get(folder)
    if (run === undefined) return
    const writing = begun.get(folder) ?? writeInstances(directory, run).then(() => undefined)
    begun.set(folder, writing)
    await writing
  }
}
