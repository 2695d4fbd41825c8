import { readFileSync, readlinkSync } from 'node:fs'
import { errorCode } from '../problems/system-problem.ts'

/**
 * A process, so that another one can tell later whether it still lives: a bare process id could have been
 * given to somebody else meanwhile. `instance` tells several stores of one process apart.
 * Boot, namespace and start are empty where the system has no /proc.
 */
export interface ProcessIdentity {
  /** The first 16 digits of the boot's id. */
  readonly boot: string
  /** Process ids mean nothing outside of their namespace (containers). */
  readonly namespace: string
  readonly pid: number
  /** Ticks after boot. */
  readonly start: string
  readonly instance: number
}

/** The system has no such file: no /proc, or no such process. Other errors (EMFILE) say nothing of that. */
const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ESRCH', 'EACCES', 'EPERM'])

const orEmpty = (read: () => string): string => {
  try {
    return read()
  } catch (error) {
    if (ABSENT.has(errorCode(error) ?? '')) return ''
    throw error
  }
}

/** State letter and start time from /proc/<pid>/stat; the name before them may hold spaces and brackets. */
const processStat = (pid: number): { state: string; start: string } | undefined => {
  const text = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  if (text === '') return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', start: fields[19] ?? '' }
}

/**
 * ext4 keeps a link's text in its inode below 60 bytes; above, each link takes a block of its own and costs 5 times as
 * much processor time and 30 times as much waiting. With all 32 digits a machine that was up for long came above.
 */
const shortBoot = (boot: string): string => boot.slice(0, 16)

let instances = 0

/** This process; every call gives another instance. @throws the system's error where it can't be told now (EMFILE) */
export const identifyProcess = (): ProcessIdentity => ({
  boot: shortBoot(
    orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').replaceAll('-', '')),
  ),
  namespace: orEmpty(() => readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')),
  pid: process.pid,
  start: processStat(process.pid)?.start ?? '',
  instance: instances++,
})

/** One line without slashes, fit for a file name and a link. */
export const formatIdentity = (identity: ProcessIdentity): string =>
  [identity.boot, identity.namespace, identity.pid, identity.start, identity.instance].join('_')

/** Undefined where the text is not an identity. */
export const parseIdentity = (text: string): ProcessIdentity | undefined => {
  const [boot, namespace, pid, start, instance, ...rest] = text.split('_')
  if (boot === undefined || namespace === undefined || start === undefined || rest.length > 0)
    return undefined
  const numbers = [Number(pid), Number(instance)]
  if (!numbers.every(Number.isSafeInteger)) return undefined
  // Earlier versions wrote all 32 digits.
  return { boot: shortBoot(boot), namespace, pid: Number(pid), start, instance: Number(instance) }
}

/** Whether a process of this machine is stopped (SIGSTOP, Ctrl-Z): it lives and will do nothing. */
export const isStopped = (pid: number): boolean => {
  try {
    return processStat(pid)?.state === 'T'
  } catch {
    return false
  }
}

/** `unknown`: it may live, but from here we can't see it. */
type ProcessState = 'alive' | 'gone' | 'unknown'

const answersSignal = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Whether the process `other` still lives, seen from `self`. */
export const standingOf = (other: ProcessIdentity, self: ProcessIdentity): ProcessState => {
  // Of an earlier boot of this machine, or of another machine that shares the folder.
  if (other.boot !== self.boot) return 'unknown'
  if (other.namespace !== self.namespace) return 'unknown'
  let stat: ReturnType<typeof processStat>
  try {
    stat = processStat(other.pid)
  } catch {
    return 'unknown'
  }
  // No /proc, or one that hides what other users run.
  if (stat === undefined) return answersSignal(other.pid) ? 'unknown' : 'gone'
  // A zombie has ended; only its parent has not asked how.
  if (stat.state === 'Z' || stat.state === 'X') return 'gone'
  return stat.start === other.start ? 'alive' : 'gone'
}
