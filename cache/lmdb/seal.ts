import { rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { NOT_PLAIN, readFileSync } from '../plain-file.ts'
import { errorCode } from '../problems/system-problem.ts'

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

/** Notes that the file is sound as it is now, so that the next opening need not read all of it. */
export const seal = async (file: string): Promise<void> => {
  // Whatever lies in its place.
  rmSync(sealFile(file), { recursive: true, force: true })
  writeFileSync(sealFile(file), stateOf(file), { mode: statSync(file).mode & 0o777 })
  // File times tick every few milliseconds. A change within the tick of the last write would not show, so the
  // seal counts only if it was set in a later one.
  for (let wait = 0; wait < 10 && !isLater(file); wait++) {
    await setTimeout(2)
    writeFileSync(sealFile(file), stateOf(file))
  }
}

const isLater = (file: string): boolean =>
  statSync(sealFile(file), { bigint: true }).mtimeNs > statSync(file, { bigint: true }).ctimeNs

/** True where nothing has written to the file since it was sealed. */
export const isSealed = (file: string): boolean =>
  readIfThere(sealFile(file)) === stateOf(file) && isLater(file)
