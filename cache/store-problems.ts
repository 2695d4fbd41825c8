import { EXIT, ProblemError, reasonOf } from './problems/problem.ts'
import { errorCode, isOfMachine, knownPath, NOT_PLAIN, systemProblem } from './problems/system-problem.ts'
import { fileURLToPath } from 'node:url'

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`
/** What a write ends with for want of room, and what gives some. */
const FULL_DISK: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'free some space (or inodes: `df -i`)'],
  ['EDQUOT', 'free some space or raise the quota'],
  ['EFBIG', 'raise the size that a file may have (`ulimit -f unlimited`)'],
])

export const damaged = (file: string, what: string, cause?: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'cache/damaged',
      message: `the store's file is damaged: ${what}`,
      where: { file },
      remedy: 'run `medmake cache verify --repair`: it keeps the damaged file and every record it can read',
    },
    { cause },
  )

/** Of an index that another process set back, or put an older one in its place. */
export const setBack = (folder: string): ProblemError =>
  new ProblemError(
    {
      code: 'cache/set-back',
      message: 'the index of the store was set back by another process while this one wrote to it',
      where: { file: folder },
      remedy: 'run again: what was stored lies in the log, and the next one to open the store lists it anew',
    },
    { exitCode: EXIT.incomplete },
  )

/** `free` and `reserve` are bytes. */
export const diskFull = (folder: string, free: number, reserve: number): ProblemError =>
  new ProblemError(
    {
      code: 'cache/disk-full',
      message: `${megabytes(free)} left on the disk; the store stops writing below ${megabytes(reserve)}`,
      where: { file: folder },
      remedy: 'free some space and run again: everything stored so far is kept',
    },
    { exitCode: EXIT.incomplete },
  )

/** What to make of an error of the system's that nobody expected: a full disk or a file in the way is the user's to mend. */
export const asProblem = (error: unknown): unknown => {
  if (error instanceof ProblemError) return error
  return fullDisk(error) ?? systemProblem(error) ?? lostProgram(error) ?? error
}

/** What is to be told of a full disk or quota, wherever it was met; undefined for any other error. */
export const fullDisk = (error: unknown): ProblemError | undefined => {
  if (!FULL_DISK.has(errorCode(error) ?? '')) return undefined
  // Of a copy, that is the file that is read.
  const { path = '.', dest = path } = error as NodeJS.ErrnoException & { readonly dest?: string }
  return writeProblem(knownPath(dest), error)
}

/** What a failed write means: a full disk or quota, or something else. */
export const writeProblem = (file: string, cause: unknown): ProblemError => {
  if (cause instanceof ProblemError) return cause
  const room = FULL_DISK.get(errorCode(cause) ?? '')
  return new ProblemError(
    {
      code: room === undefined ? 'cache/write-failed' : 'cache/disk-full',
      message: `could not write: ${reasonOf(cause).replaceAll(/Unknown system error -\d+|UNKNOWN: unknown error/g, errorCode(cause) ?? '')}`,
      where: { file },
      remedy: `${room === undefined ? 'check the disk, then' : `${room} and`} run again: everything stored so far is kept`,
    },
    { cause, exitCode: EXIT.incomplete },
  )
}

/** Something else lies in a file's place. */
const OTHER_KIND: ReadonlySet<string> = new Set([NOT_PLAIN, 'EISDIR', 'ELOOP'])

/** What it means that a store's file or folder can't be used. `mustExist`: it was only to be read. */
export const unusableFolder = (
  folder: string,
  cause: unknown,
  options: { readonly mustExist: boolean } = { mustExist: false },
): ProblemError => {
  if (cause instanceof ProblemError) return cause
  const code = errorCode(cause)
  if (FULL_DISK.has(code ?? '')) return writeProblem(folder, cause)
  // A copy of the index lies in a folder for what passes, which is none of the store's.
  const isCopy = (cause as { readonly syscall?: string } | undefined)?.syscall === 'mkdtemp'
  if (isCopy || isOfMachine(code)) return systemProblem(cause) ?? writeProblem(folder, cause)
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new ProblemError(
      {
        code: 'cache/not-a-folder',
        message: 'the store must be a folder, but this is a file',
        where: { file: folder },
        remedy: 'move the file away or name another folder',
      },
      { cause },
    )
  if (code === 'ENOENT' && options.mustExist)
    return new ProblemError(
      {
        code: 'cache/no-store',
        message: 'there is no store here',
        where: { file: folder },
        remedy: 'name the folder of an existing store, or run a target first',
      },
      { cause },
    )
  const isOther = OTHER_KIND.has(code ?? '')
  // Whoever moved the folder away would pay for all that lies in it.
  const { path = folder } = isOther ? (cause as NodeJS.ErrnoException) : {}
  return new ProblemError(
    {
      code: 'cache/not-accessible',
      message: `the store can't be used: ${reasonOf(cause)}`,
      where: { file: path },
      remedy: isOther
        ? 'move away what lies there, or name another folder'
        : 'give this user the right to read and write the folder, or name another folder',
    },
    { cause },
  )
}

export const readOnlyStore = (folder: string): ProblemError =>
  new ProblemError({
    code: 'cache/read-only',
    message: 'the store was opened for reading only',
    where: { file: folder },
    remedy: 'open it for writing, in a folder that this user may write to',
  })

export const inUse = (folder: string, pids: readonly number[]): ProblemError =>
  new ProblemError({
    code: 'cache/in-use',
    message: `another process works with the store${pids.length > 0 ? ` (process ${pids.join(', ')})` : ''}`,
    where: { file: folder },
    remedy: 'wait for it to end, or end it, then run this again',
  })

/** @param pid of the other process, on its machine */
export const otherMachine = (folder: string, pid: number): ProblemError =>
  new ProblemError({
    code: 'cache/other-machine',
    message: `another machine works with the store (its process ${pid}): one store serves one machine`,
    where: { file: folder },
    remedy:
      'Give each machine a store of its own (--store FOLDER) on its own disk, and bring them together by `medmake cache merge`.',
  })

/** @param pid of both processes, each in its container */
export const sameNumber = (folder: string, pid: number): ProblemError =>
  new ProblemError({
    code: 'cache/same-number',
    message: `a process of another container works with the store and has this one's number, ${pid}: its index can't tell them apart`,
    where: { file: folder },
    remedy:
      'Wait for it to end, or let both containers number their processes together (`docker run --pid host`, `hostPID: true`), or give each a store of its own (--store FOLDER).',
  })

export const noTier = (folder: string, cause: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'cache/no-tier',
      message: `this folder can't be read: ${reasonOf(cause)}`,
      where: { file: folder },
      remedy:
        'Make the folder that the machines are to share (mkdir -p), or mend its name or its permissions.',
    },
    { cause },
  )

export const takenOver = (folder: string): ProblemError =>
  new ProblemError(
    {
      code: 'cache/taken-over',
      message:
        'this process was still for more than a minute, and another one took over its place in the store',
      where: { file: folder },
      remedy: 'Run again: everything stored so far is kept.',
    },
    { exitCode: EXIT.incomplete },
  )

export const contradictingClaims = (folder: string): ProblemError =>
  new ProblemError({
    code: 'cache/contradicting-claims',
    message: 'the notes of who works on what contradict each other',
    where: { file: folder },
    remedy: 'End all that use the store, delete this folder and run again: it holds no results.',
  })

export const otherVersion = (file: string, version: string): ProblemError =>
  new ProblemError({
    code: 'cache/other-version',
    message: `the store is of format ${version}, which this version can't read`,
    where: { file },
    remedy: 'use the version of medmake that wrote it, or name another folder',
  })

export const networkFolder = (folder: string, kind: string): ProblemError =>
  new ProblemError({
    code: 'cache/network-folder',
    message: `the store can't be on a network or shared file system (${kind}): its locks don't hold there`,
    where: { file: folder },
    remedy: 'name a folder on a local disk and copy the store there',
  })

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
