import type { Problem } from '../../../cache/problems/problem.ts'
import type { ReleaseFile } from './list-files.ts'

/** How a problem of a file is reported: its code, what is wrong, what to do. */
interface FileFaults {
  readonly code: string
  readonly lacks: string
  readonly differs: string
  readonly extra: string
  readonly remedy: string
}

/** One problem a file that is missing, has other bytes or should not be there, in the order of the paths. */
export const compareFiles = (
  expected: readonly ReleaseFile[],
  found: readonly ReleaseFile[],
  { code, lacks, differs, extra, remedy }: FileFaults,
): readonly Problem[] => {
  const byPath = new Map(found.map((file) => [file.path, file]))
  const known = new Set(expected.map(({ path }) => path))
  const problem = (path: string, message: string): Problem => ({
    code,
    message: `${path} ${message}`,
    where: { file: path },
    remedy,
  })
  return [
    ...expected.flatMap(({ path, sha256 }) => {
      const file = byPath.get(path)
      if (file === undefined) return [problem(path, lacks)]
      return file.sha256 === sha256 ? [] : [problem(path, differs)]
    }),
    ...found.filter(({ path }) => !known.has(path)).map(({ path }) => problem(path, extra)),
  ]
}
