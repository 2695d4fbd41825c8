import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterFile } from './after-file.ts'

/** A new empty folder, gone after the test file. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'medmake-'))
  afterFile(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
