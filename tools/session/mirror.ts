import { isThere, namesIn } from '../../cache/files/read.ts'
import { ProblemError } from '../../cache/problems/problem.ts'

/**
 * The folder that a flag or variable names as a mirror.
 * @throws ProblemError `config/mirror` for a folder with nothing: it would stand for a web without any file
 */
export const checkedMirror = (folder: string, namedBy: string): string => {
  if (namesIn(folder).length > 0) return folder
  throw new ProblemError({
    code: 'config/mirror',
    message: isThere(folder) ? `${folder} holds no files` : `there is no folder ${folder}`,
    where: { field: namedBy },
    remedy:
      'Name a folder that holds the files of data sets by host and path, such as raw.githubusercontent.com/….',
  })
}
