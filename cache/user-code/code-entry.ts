import { basename, join } from 'node:path'
import { isThere } from '../files/read.ts'
import { ProblemError } from '../problems/problem.ts'

/** Endings of a workspace's code: ES modules, which export what they define. */
export const CODE_ENDINGS = ['.ts', '.mts', '.js', '.mjs'] as const

const OTHER_ENDINGS = ['.cts', '.cjs', '.tsx', '.jsx']

/**
 * File of a workspace's code of that name; undefined where there is none.
 * @throws ProblemError `code/two-files` where several could be meant, `code/ending`
 */
export const codeEntry = (folder: string, name: string): string | undefined => {
  const having = (endings: readonly string[]): readonly string[] =>
    endings.map((ending) => join(folder, name + ending)).filter(isThere)
  const [file, second] = having(CODE_ENDINGS)
  if (file !== undefined && second !== undefined)
    throw new ProblemError({
      code: 'code/two-files',
      message: `${basename(file)} and ${basename(second)} both define ${name}`,
      where: { file: second },
      remedy: 'Leave one: results are kept under the code that made them.',
    })
  const [other] = file === undefined ? having(OTHER_ENDINGS) : []
  if (other === undefined) return file
  throw new ProblemError({
    code: 'code/ending',
    message: `${basename(other)} is no name that code is looked for under`,
    where: { file: other },
    remedy: `Write it as an ES module and let its name end in ${CODE_ENDINGS.join(', ')}.`,
  })
}
