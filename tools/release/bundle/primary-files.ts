import { copyFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../../cache/files/folders.ts'
import { RUN_FILES } from '../../helm/write/write-run.ts'
import { SCHEMA } from '../assemble.ts'
import type { ReleaseFile } from './list-files.ts'
import { RANKING_FILE } from '../ranking.ts'
import { OUTPUT } from '../run-card.ts'
import { RATINGS_FILE } from '../write-ratings.ts'

const RUN_FILE_NAMES: ReadonlySet<string> = new Set(Object.values(RUN_FILES))

/**
 * Whether a file of a bundle is one that the others are computed from. Of the ranking only what rests on withheld values
 * is: the rest is computed anew.
 */
export const isPrimary = (path: string): boolean => {
  if ([SCHEMA, RANKING_FILE, RATINGS_FILE].includes(path)) return true
  if (path.startsWith('records/') || path.startsWith('replies/')) return true
  return path.startsWith(`${OUTPUT}/runs/`) && RUN_FILE_NAMES.has(path.split('/').at(-1) ?? '')
}

/** Copies the files that pass from one bundle to another. */
export const copyFiles = async (
  from: string,
  to: string,
  files: readonly Pick<ReleaseFile, 'path'>[],
): Promise<void> => {
  for (const { path } of files) {
    makeFolder(dirname(join(to, path)))
    await copyFile(join(from, path), join(to, path))
  }
}
