import { statfsSync, statSync, type BigIntStats } from 'node:fs'

const NOT_PLAIN = 'it is a pipe, a device or a file of the kernel'

/** Types of file systems whose files the kernel makes up as they are read: proc, sysfs, debugfs, tracefs. */
const MADE_UP = new Set([0x9fa0, 0x62656572, 0x64626720, 0x74726163])

/** Whether the kernel makes up the file, or what the folder holds. @throws the system's error */
export const isMadeUp = (path: string): boolean => MADE_UP.has(statfsSync(path).type)

/**
 * Refuses what may never end or never begin: pipes, sockets, devices, files of the kernel such as /proc/kmsg. Folders
 * pass: reading them fails by itself.
 *
 * @returns what is known of the file
 * @throws an error as the system's, for them or where there is none
 */
export const requirePlainFile = (path: string): BigIntStats => {
  const stats = statSync(path, { bigint: true })
  if (stats.isDirectory()) return stats
  // Only what says that it is empty can be one of the kernel's.
  if (!stats.isFile() || (stats.size === 0n && isMadeUp(path)))
    throw Object.assign(new Error(`${path} is no file of a disk`), { code: NOT_PLAIN, syscall: 'open' })
  return stats
}
