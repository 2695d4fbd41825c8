import { dirname } from 'node:path'
import { ProblemError } from '../../cache/problem.ts'
import type { About, Obtain } from './about.ts'

/** Data that the user has to bring: what to ask for, whom, and where each file goes. */
export const missingData = (about: About, files: readonly string[]): ProblemError => {
  const [first = ''] = files
  const which = files.length === 1 ? first : `${files.length} files (${files.join(', ')})`
  return new ProblemError({
    code: 'benchmarks/missing-data',
    message: `the data of ${about.name} is not here: ${which}`,
    where: { file: first },
    remedy: `${request(about.obtain)}Put ${files.length === 1 ? `the file into ${dirname(first)}` : 'the files there'}, or say with data_path=<path> in the run entry where the data lies.`,
  })
}

/** One or two sentences on how the data is got. */
export const request = (obtain: Obtain | undefined): string => {
  if (obtain === undefined) return ''
  const { what, from, url, terms } = obtain
  return `Request ${what} from ${from}${url === undefined ? '' : ` (${url})`}${terms === undefined ? '' : `; ${terms}`}. `
}
