import { closeSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { readFileSync } from '../files/plain-file.ts'
import { errorCode, NOT_PLAIN } from '../problems/system-problem.ts'

/** Name of a file's seal. */
export const sealFile = (file: string): string => `${file}.seal`

/** What changes when anything writes to the file. */
export const stateOf = (file: string): string => {
  const { size, mtimeNs, ctimeNs, ino } = statSync(file, { bigint: true })
  return [size, mtimeNs, ctimeNs, ino].join(' ')
}

const readIfThere = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'EISDIR', 'ELOOP', NOT_PLAIN].includes(errorCode(error) ?? '')) return undefined
    throw error
  }
}

const CHUNK = 1 << 20

/** Sum of the file's bytes: what a disk changes by itself shows in no time and no size. */
const sumOf = (path: string): number => {
  const file = openSync(path, 'r')
  try {
    const chunk = Buffer.allocUnsafe(CHUNK)
    let sum = 0
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk))
      sum = crc32(chunk.subarray(0, read), sum)
    return sum
  } finally {
    closeSync(file)
  }
}

/** Notes that the file is sound as it is now, so that the next opening need not look at all that it says. */
export const seal = async (file: string): Promise<void> => {
  // Whatever lies in its place.
  rmSync(sealFile(file), { recursive: true, force: true })
  const text = `${stateOf(file)} ${sumOf(file)}`
  writeFileSync(sealFile(file), text, { mode: statSync(file).mode & 0o777 })
  // File times tick every few milliseconds. A change within the tick of the last write would not show, so the
  // seal counts only if it was set in a later one.
  for (let wait = 0; wait < 10 && !isLater(file); wait++) {
    await setTimeout(2)
    writeFileSync(sealFile(file), text)
  }
}

const isLater = (file: string): boolean =>
  statSync(sealFile(file), { bigint: true }).mtimeNs > statSync(file, { bigint: true }).ctimeNs

/** True where nothing has written to the file since it was sealed, and it still gives the same bytes. */
export const isSealed = (file: string): boolean => {
  const text = readIfThere(sealFile(file))
  const state = stateOf(file)
  return text?.startsWith(`${state} `) === true && isLater(file) && text === `${state} ${sumOf(file)}`
}
