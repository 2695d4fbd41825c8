import { basename, dirname } from 'node:path'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { About, Obtain } from '../about.ts'

/** Data that the user has to bring: a problem for each file, the first says what to ask for and whom. */
export const missingData = (about: About, files: readonly string[]): ProblemError =>
  new ProblemError(
    files.map((file, index) => ({
      code: 'benchmarks/missing-data',
      message: `${about.name} needs ${basename(file)}, which is not here`,
      where: { file },
      remedy:
        index === 0
          ? `${request(about.obtain)}Put it into ${dirname(file)}, or say with data_path=<path> in the run entry where the data lies.`
          : `Put it into ${dirname(file)}.`,
    })),
  )

/** One or two sentences on how the data is got. */
export const request = (obtain: Obtain | undefined): string => {
  if (obtain === undefined) return ''
  const { what, from, url, terms } = obtain
  return `Request ${what} from ${from}${url === undefined ? '' : ` (${url})`}${terms === undefined ? '' : `; ${terms}`}. `
}
