import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Workspace } from '../session/workspace.ts'
import { REPORT_PATH } from './result-path.ts'

/** The site's first page, relative to the workspace. */
export const siteIndex = ({ config }: Workspace): string => join(config.output_path, 'site/index.html')

/**
 * Undefined unless the report was made and its site is gone since; then a text that no earlier loss had.
 * Nx can't bring the site back, as its pages hold patients' texts and stay out of Nx's cache: with this in its options
 * the report runs anew.
 */
export const lostReport = (workspace: Workspace): string | undefined => {
  const note = statSync(workspace.path(REPORT_PATH), { bigint: true, throwIfNoEntry: false })
  if (note === undefined || existsSync(workspace.path(siteIndex(workspace)))) return undefined
  return String(note.mtimeNs)
}
