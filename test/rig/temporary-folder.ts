import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const made: string[] = []

afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A new empty folder, gone after the test file. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'medmake-'))
  made.push(folder)
  return folder
}
