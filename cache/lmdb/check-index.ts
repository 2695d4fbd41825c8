import { closeSync, openSync, statSync } from 'node:fs'
import { readAll } from '../files/all-bytes.ts'
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
    return buffer.subarray(0, readAll(file, buffer, offset, size))
  }
  try {
    return checkPages(read, stat.size, visit)
  } finally {
    closeSync(file)
  }
}
