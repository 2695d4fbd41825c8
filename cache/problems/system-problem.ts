import { constants, devNull } from 'node:os'
import { getSystemErrorMap } from 'node:util'
import { closeSync, openSync } from 'node:fs'
import { EXIT, ProblemError } from './problem.ts'

/** In the place of the system's code, where what is read is no file. */
export const NOT_PLAIN = 'it is a pipe, a device or a file of the kernel'

/** What Node throws for a system call that failed. */
interface SystemError extends Error {
  readonly code: string
  readonly errno: number
  readonly syscall: string
  readonly path?: string
  /** Where what lies at the path was to be. */
  readonly dest?: string
}

/**
 * Node has no names for some, such as a full quota and a file that a server lost, and calls them one thing where it writes at
 * once and another elsewhere; EUCLEAN is Linux' 117.
 */
const NAMES = new Map(
  Object.entries({ ...constants.errno, EUCLEAN: 117 }).map(([name, errno]) => [errno, name]),
)

/** `error.code` of a failed system call. */
export const errorCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined
  const { code, errno } = error as NodeJS.ErrnoException & { code: string }
  return /^(?:UNKNOWN$|Unknown system error )/.test(code) ? (NAMES.get(-(errno ?? 0)) ?? code) : code
}

const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error &&
  'code' in error &&
  'errno' in error &&
  'syscall' in error &&
  typeof error.code === 'string' &&
  typeof error.errno === 'number' &&
  typeof error.syscall === 'string'

const NO_RIGHT = 'Give this user the right to read and write there, or name another folder.'
const WRONG_KIND =
  'Move away what lies there, such as a file for a folder or the other way round, or name another place.'
const NO_FILES = 'Raise the number of files that a process may have open (`ulimit -n 1024`) and run again.'
const NO_MEMORY = 'Free some memory or raise its limit, then run again: everything stored so far is kept.'
const NO_DISK = 'Check the disk, then run again: everything stored so far is kept.'

const CODES: Readonly<Record<string, string>> = {
  [NO_FILES]: 'system/too-many-files',
  [NO_MEMORY]: 'system/no-memory',
}

/** By the system's code. One that is not named, and a file that is not there, may be a fault of ours. */
const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EROFS: NO_RIGHT,
  EEXIST: WRONG_KIND,
  EISDIR: WRONG_KIND,
  ELOOP: WRONG_KIND,
  ENOTDIR: WRONG_KIND,
  ENOTEMPTY: WRONG_KIND,
  [NOT_PLAIN]: WRONG_KIND,
  ENAMETOOLONG: 'Name a folder with a shorter path.',
  EMFILE: NO_FILES,
  ENFILE: NO_FILES,
  ENOMEM: NO_MEMORY,
  EBADMSG: NO_DISK,
  EBUSY: NO_DISK,
  EIO: NO_DISK,
  ENODEV: NO_DISK,
  ENOLCK: NO_DISK,
  ENXIO: NO_DISK,
  ESTALE: NO_DISK,
  ETXTBSY: NO_DISK,
  EUCLEAN: NO_DISK,
}
/** Calls on an open file, of which the system doesn't say which it is. */
const OPENED: ReadonlySet<string> = new Set(['read', 'write', 'fsync', 'fdatasync', 'ftruncate', 'close'])
/** What is missing where something is made, by the system's call. */
const MAKING: Readonly<Record<string, string>> = {
  mkdir: 'No folder can be made there: name another place.',
  mkdtemp: 'Set TMPDIR to a folder that is there, and that you may write to.',
}
/** Where the place is right and the machine is not. */
const PASSING: ReadonlySet<string> = new Set(
  Object.keys(REMEDIES).filter((code) => [NO_FILES, NO_MEMORY, NO_DISK].includes(REMEDIES[code] ?? '')),
)

const GONE = new ProblemError({
  code: 'system/no-folder',
  message: 'the folder that this was started in is gone',
  remedy: 'Change into a folder that is there, and run again.',
})

/** What is written first and then renamed, and what lies in it. */
const STAGED = /(?:^|[/\\])\.[^/\\]+-[0-9a-f]{12}\.tmp(?:[/\\].*)?$/

/** The file or folder that a user knows: that in which it lies. */
export const knownPath = (path: string): string => path.replace(STAGED, '') || '.'

/** A failed system call that a user can mend, wherever it happened; undefined for any other error. */
export const systemProblem = (error: unknown): ProblemError | undefined => {
  if (!isSystemError(error)) return undefined
  const { errno, syscall, dest } = error
  // What is staged is a file of ours: in its way is what lies where it was to be.
  const path = dest !== undefined && STAGED.test(error.path ?? '') ? dest : error.path
  const code = errorCode(error) ?? ''
  if (code === 'ENOENT' && syscall === 'uv_cwd') return GONE
  const remedy = (code === 'ENOENT' || syscall === 'mkdtemp' ? MAKING[syscall] : undefined) ?? REMEDIES[code]
  if (remedy === undefined || (path === undefined && !OPENED.has(syscall))) return undefined
  return new ProblemError(
    {
      code: CODES[remedy] ?? 'system/unusable-path',
      // Node's words and none of the error's own: those may name more than the place.
      message:
        code === NOT_PLAIN
          ? code
          : `${syscall} gave ${code}, ${getSystemErrorMap().get(errno)?.[1] ?? 'an error of the disk'}`,
      ...(path === undefined ? {} : { where: { file: knownPath(path) } }),
      remedy,
    },
    { cause: error, exitCode: PASSING.has(code) ? EXIT.incomplete : EXIT.badInput },
  )
}

/** True of a code where nothing is wrong with the place itself: a limit or the disk is in the way. */
export const isOfMachine = (code: string | undefined): boolean => PASSING.has(code ?? '')

/** `systemProblem` of such a code. */
export const machineProblem = (error: unknown): ProblemError | undefined =>
  isOfMachine(errorCode(error)) ? systemProblem(error) : undefined

/** LMDB ends the process where it can't open its files, and Node where it can't open those by which it watches code. */
const FILES = 8

/** Makes sure that some more files may be opened. @throws ProblemError `system/too-many-files`, retriable */
export const requireFiles = (): void => {
  const opened: number[] = []
  try {
    while (opened.length < FILES) opened.push(openSync(devNull, 'r'))
  } catch (error) {
    throw Object.assign(systemProblem(error) ?? (error as Error), { retriable: true })
  } finally {
    for (const file of opened) closeSync(file)
  }
}
