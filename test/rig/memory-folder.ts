import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm'
/** Bytes that must be free there. */
const ENOUGH = 4e9

/**
 * Vitest's global setup: temporary folders lie in memory where there is room, as each result that the program reports
 * is synced first and a disk's syncs would be most of the tests' time. A TMPDIR of the developer's own stays.
 */
export const setup = (): (() => void) | undefined => {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return undefined
  const folder = mkdtempSync(join(MEMORY, 'medmake-tests-'))
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

const hasRoom = (): boolean => {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ENOUGH
  } catch {
    return false
  }
}
