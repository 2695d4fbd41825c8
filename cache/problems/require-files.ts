import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { systemProblem } from './system-problem.ts'

/** LMDB ends the process where it can't open its files, and Node where it can't open those by which it watches code. */
const FILES = 8

/** Makes sure that some more files may be opened. @throws ProblemError `system/too-many-files`, retriable */
export const requireFiles = (): void => {
  const opened: number[] = []
  try {
    while (opened.length < FILES) opened.push(openSync(devNull, 'r'))
  } catch (error) {
    throw Object.assign(systemProblem(error) ?? (error as Error), { retriable: true })
  } finally {
    for (const file of opened) closeSync(file)
  }
}
