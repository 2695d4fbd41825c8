import { rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { readFile } from '../../../cache/plain-file.ts'

/** How often a waiting process looks again, in milliseconds. */
const LOOK_AGAIN = 100
/** A holder touches its lock this often; one untouched for the longer time is dead, whoever has its number now. */
const TOUCH = 5000
const DEAD_AFTER = 60_000

export interface LockOptions {
  readonly signal: AbortSignal
  /** Called once when another process holds the lock. */
  readonly onWait?: (holder: number) => void
}

/**
 * Runs `work` while no other process of this machine runs work under the same lock file.
 * The file names its holder; a lock whose holder died is taken over. The lock saves double work only:
 * what it guards must stay right without it (own temporary names, rename at the end).
 */
export const withFileLock = async <T>(
  lock: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> => {
  let told = false
  while (!(await take(lock))) {
    const holder = await holderOf(lock)
    if (holder !== undefined && (!isAlive(holder) || (await isForgotten(lock)))) await breakLock(lock)
    else {
      if (!told && holder !== undefined) options.onWait?.(holder)
      told ||= holder !== undefined
      await pause(LOOK_AGAIN, undefined, { signal: options.signal })
    }
  }
  const touching = setInterval(() => {
    const now = new Date()
    utimes(lock, now, now).catch(() => undefined)
  }, TOUCH)
  try {
    return await work()
  } finally {
    clearInterval(touching)
    await rm(lock, { force: true })
  }
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: alive, but not ours.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

const take = async (lock: string): Promise<boolean> => {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Undefined when the lock is gone or its holder is just writing its number. */
const holderOf = async (lock: string): Promise<number | undefined> => {
  const text = await readFile(lock, 'utf8').catch(() => '')
  return /^\d+$/.test(text) ? Number(text) : undefined
}

const isForgotten = async (lock: string): Promise<boolean> =>
  stat(lock).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > DEAD_AFTER,
    () => false,
  )

/** Renaming first lets only one of several waiters remove a dead holder's lock. */
const breakLock = async (lock: string): Promise<void> => {
  const aside = `${lock}.${process.pid}`
  const renamed = await rename(lock, aside).then(
    () => true,
    () => false,
  )
  if (renamed) await rm(aside, { force: true })
}
