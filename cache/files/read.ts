import {
  readdirSync,
  readFileSync as readNow,
  statfsSync,
  statSync,
  type BigIntStats,
  readSync,
} from 'node:fs'
import { constants as limits, isUtf8 } from 'node:buffer'
import { access, readFile as read, type FileHandle } from 'node:fs/promises'
import { constants } from 'node:os'
import { errorCode, NOT_PLAIN } from '../problems/system-problem.ts'
import { decodeUtf8, tooLarge } from './utf8.ts'

/** Types of file systems whose files the kernel makes up as they are read: proc, sysfs, debugfs, tracefs. */
const MADE_UP = new Set([0x9fa0, 0x62656572, 0x64626720, 0x74726163])

/** What a shell hands over by `<(…)` or `<`: somebody writes to it. */
const HANDED_OVER = /^\/(?:dev|proc\/self)\/(?:fd\/\d+|stdin)$/

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
  if (!stats.isFile() || (stats.size === 0n && isMadeUp(path))) throw unreadable(path, NOT_PLAIN)
  return stats
}

/** With the path, which the system leaves out where it is a read that fails. */
const unreadable = (path: string, code: string, errno = 0): Error =>
  Object.assign(new Error(`${path}: ${code}`), { code, errno, syscall: 'read', path })

/** The path, of a plain file or of one that a shell hands over. @throws an error as the system's, for folders, too */
export const plain = (path: string): string => {
  if (!HANDED_OVER.test(path) && requirePlainFile(path).isDirectory())
    throw unreadable(path, 'EISDIR', -constants.errno.EISDIR)
  return path
}

/**
 * Node's `readFile` of plain files: all that others may have put there is read by it.
 * @throws ProblemError `system/not-utf8`, where Node would put another character for each wrong byte; `system/too-large`
 */
export function readFile(path: string): Promise<Buffer>
export function readFile(path: string, encoding: 'utf8'): Promise<string>
export async function readFile(path: string, encoding?: 'utf8'): Promise<Buffer | string> {
  const bytes = await read(plain(path)).catch((error: unknown) => {
    throw errorCode(error) === 'ERR_FS_FILE_TOO_LARGE' ? tooLarge(path, error) : error
  })
  return encoding === undefined ? bytes : textOf(bytes, path)
}

/** The same at once. */
export function readFileSync(path: string): Buffer
export function readFileSync(path: string, encoding: 'utf8' | 'latin1'): string
export function readFileSync(path: string, encoding?: 'utf8' | 'latin1'): Buffer | string {
  if (encoding === 'latin1') return readNow(plain(path), encoding)
  const bytes = readNow(plain(path))
  return encoding === undefined ? bytes : textOf(bytes, path)
}

const textOf = (bytes: Buffer, path: string): string =>
  bytes.length <= limits.MAX_STRING_LENGTH && isUtf8(bytes) ? bytes.toString('utf8') : decodeUtf8(bytes, path)

/** Nothing for the error of what is not there. @throws any other: what may not be looked at is not absent */
export const unlessAbsent = (error: unknown): undefined => {
  if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error
}

/** @throws the system's error where it can't be told: what may not be looked at is not absent */
export const isThere = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    unlessAbsent(error)
    return false
  }
}

/** Whether something lies there that may be looked at. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Names in a folder; none where nothing lies. @throws the system's error for a file, and where it may not be read */
export const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch (error) {
    // Another process may have made it since.
    if (errorCode(error) !== 'ENOENT' && isThere(folder)) throw error
    return []
  }
}

/** Fills a buffer's start from a place of a file; how many bytes there were. The system may give less at once. */
export const readAll = (file: number, buffer: Buffer, offset: number, length: number): number => {
  let filled = 0
  while (filled < length) {
    const read = readSync(file, buffer, filled, length - filled, offset + filled)
    if (read === 0) break
    filled += read
  }
  return filled
}

/** Writes all of the bytes to a place of a file. */
export const writeAll = async (file: FileHandle, bytes: Buffer, offset: number): Promise<void> => {
  for (let written = 0; written < bytes.length;) {
    const part = await file.write(bytes, written, bytes.length - written, offset + written)
    written += part.bytesWritten
  }
}
