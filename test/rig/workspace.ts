import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

/** Files by their path in a workspace. */
export type Files = Readonly<Record<string, string>>

/** A new workspace with these files, gone after the test file. It has a medmake.yaml in any case. */
export const createWorkspace = (files: Files = {}): string => {
  const root = temporaryFolder()
  writeFiles(root, { 'medmake.yaml': '', ...files })
  return root
}

export const writeFiles = (root: string, files: Files): void => {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
