import { readFileSync, statSync } from 'node:fs'
import { EXIT, ProblemError } from '../problems/problem.ts'

const MB = 2 ** 20
/** Reserved address space, not memory: the map seldom has to be made anew, which leaves the old one in use. */
const USUAL = 1024 * MB
/** One of fewer bytes would soon have to grow. */
const SMALLEST = 64 * MB
/** What Node may come to ask for besides: threads, and what lies on its heap. */
const REST = 512 * MB

/**
 * Bytes of address space to reserve for an index, of those that this process may still reserve: LMDB ends the process where
 * it gets none.
 * @throws ProblemError `system/no-memory` where they are too few
 */
export const mapSizeFor = (free: number, fileSize: number): number => {
  const least = Math.max(SMALLEST, 2 * fileSize)
  let size = Math.max(USUAL, 2 ** Math.ceil(Math.log2(least)))
  while (size > free - REST && size / 2 >= least) size /= 2
  if (size <= free - REST) return size
  throw new ProblemError(
    {
      code: 'system/no-memory',
      message: `this process may reserve ${Math.max(0, Math.floor(free / MB))} MB more of address space, and ${Math.ceil((size + REST) / MB)} MB are needed`,
      remedy:
        'raise the limit (`ulimit -v`, or what the scheduler sets it by) to 4 GB or lift it: this is address space, not memory; everything stored so far is kept',
    },
    { exitCode: EXIT.incomplete },
  )
}

/** Bytes by Linux' own words for a limit and for what is used of it; Infinity where none is set. */
export const freeAddresses = (limits: string, status: string): number => {
  const [, limit] = /^Max address space +(\d+) /m.exec(limits) ?? []
  const [, used] = /^VmSize:\s+(\d+) kB$/m.exec(status) ?? []
  return limit === undefined || used === undefined ? Infinity : Number(limit) - Number(used) * 1024
}

/** Bytes that this process may still reserve. */
const free = (): number => {
  try {
    return freeAddresses(readFileSync('/proc/self/limits', 'utf8'), readFileSync('/proc/self/status', 'utf8'))
  } catch {
    // Not on Linux.
    return Infinity
  }
}

/** `mapSizeFor` of this process and the index in a file, or that is to be made there. */
export const mapSize = (path: string): number =>
  mapSizeFor(free(), statSync(path, { throwIfNoEntry: false })?.size ?? 0)
