import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { checkPages, type EntryVisitor, type PageReport } from './check-pages.ts'

/** Runs `checkPages` on a file; undefined where there is none. @throws the system's error where it can't be read. */
export const checkIndex = (path: string, visit: EntryVisitor = () => {}): PageReport | string | undefined => {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  if (!stat.isFile()) return 'it is not a file'
  const file = openSync(path, 'r')
  let buffer = Buffer.allocUnsafe(65536)
  const read = (offset: number, size: number): Buffer => {
    if (size > buffer.length) buffer = Buffer.allocUnsafe(size)
    let filled = 0
    while (filled < size) {
      const part = readSync(file, buffer, filled, size - filled, offset + filled)
      if (part === 0) break
      filled += part
    }
    return buffer.subarray(0, filled)
  }
  try {
    return checkPages(read, stat.size, visit)
  } finally {
    closeSync(file)
  }
}
