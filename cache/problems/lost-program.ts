import { fileURLToPath } from 'node:url'
import { EXIT, ProblemError } from './problem.ts'
import { errorCode } from './system-problem.ts'

/** Where the program's own files lie; undefined where it runs from its sources. */
const OWN = /^.*[\\/]dist[\\/]/.exec(fileURLToPath(import.meta.url))?.[0]

/**
 * What it means that a file of the program's own is not there when it is first needed: another version was installed in its
 * place. Undefined for any other error, such as of a workspace's own code.
 *
 * @param own folder of the program's files
 */
export const lostProgram = (error: unknown, own: string | undefined = OWN): ProblemError | undefined => {
  if (!(error instanceof Error) || own === undefined || !isLost(error, own)) return undefined
  return new ProblemError(
    {
      code: 'system/program-replaced',
      message: 'a file of the program is gone: it was updated or removed while this ran',
      where: { file: own },
      remedy:
        'Run again: everything stored so far is kept. Where a new run says so as well, install medmake anew.',
    },
    { cause: error, exitCode: EXIT.incomplete },
  )
}

/** The path of a file, or the module that asked for what is not there: of a package Node gives only its name. */
const isLost = (error: Error, own: string): boolean => {
  const isIn = (path: unknown): boolean => typeof path === 'string' && path.startsWith(own)
  switch (errorCode(error)) {
    case 'ENOENT':
      return 'path' in error && isIn(error.path)
    case 'MODULE_NOT_FOUND':
      return 'requireStack' in error && Array.isArray(error.requireStack) && isIn(error.requireStack[0])
    case 'ERR_MODULE_NOT_FOUND':
      return error.message.includes(` imported from ${own}`)
    default:
      return false
  }
}
