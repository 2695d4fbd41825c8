import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { directoriesIn } from '../helm/read-suite.ts'
import { RUN_FILES } from '../helm/write/write-run.ts'
import { suitesOfRelease } from '../site/content/helm-content.ts'

/** Run directories of one suite, some of which may turn out to be none. */
export interface SuiteFolder {
  readonly suite: string
  readonly runs: readonly string[]
  readonly schemaFile: string
}

/**
 * The suites of a folder of HELM's files: an output path, its `runs` or one suite of it, a release that helm-summarize
 * made, or one run. None where it is none of these.
 */
export const findSuites = async (folder: string): Promise<readonly SuiteFolder[]> => {
  if (existsSync(join(folder, RUN_FILES.runSpec))) return [{ ...suiteAt(dirname(folder)), runs: [folder] }]
  if (basename(dirname(folder)) === 'releases' && existsSync(join(folder, 'summary.json')))
    return (
      await Promise.all(
        (await suitesOfRelease(folder)).map((suite) => ownSuite(join(folder, '../../runs', suite))),
      )
    ).flat()
  const [own] = await ownSuite(folder)
  if (own !== undefined) return [own]
  const runs = existsSync(join(folder, 'runs')) ? join(folder, 'runs') : folder
  return (await Promise.all((await directoriesIn(runs)).map((name) => ownSuite(join(runs, name))))).flat()
}

const suiteAt = (folder: string): Omit<SuiteFolder, 'runs'> => ({
  suite: basename(folder),
  schemaFile: join(folder, 'schema.json'),
})

/** A folder is a suite's when a run is in it: whatever else lies there is a run that is damaged. */
const ownSuite = async (folder: string): Promise<readonly SuiteFolder[]> => {
  if (!existsSync(folder)) return []
  const runs = (await directoriesIn(folder)).map((name) => join(folder, name))
  const hasRun = runs.some((run) => Object.values(RUN_FILES).some((file) => existsSync(join(run, file))))
  return hasRun ? [{ ...suiteAt(folder), runs }] : []
}
