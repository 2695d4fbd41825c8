import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'

/**
 * A file named in a configuration: in the first of the folders that has it.
 * @throws ProblemError `benchmarks/missing-file` naming every path tried
 */
export const locateFile = (
  path: string,
  folders: readonly string[],
  what: string,
  where: Place | undefined,
): string => {
  const tried = [...new Set(folders.map((folder) => resolve(folder, path)))]
  const found = tried.find((file) => existsSync(file))
  if (found !== undefined) return found
  throw new ProblemError({
    code: 'benchmarks/missing-file',
    message: `the ${what} ${JSON.stringify(path)} does not exist`,
    ...(where === undefined ? {} : { where }),
    remedy: `Put it at ${tried.join(' or ')}, or correct the path.`,
  })
}
