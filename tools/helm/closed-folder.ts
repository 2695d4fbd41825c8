import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Closed to others within a folder that is open to them; what is not there is closed. */
export const isClosed = async (directory: string): Promise<boolean> => {
  if (process.platform === 'win32') return false
  const [own, around] = await Promise.all(
    [directory, dirname(directory)].map((path) => stat(path).catch(() => undefined)),
  )
  if (own === undefined || around === undefined) return true
  return (own.mode & 0o077) === 0 && (around.mode & 0o077) !== 0
}
