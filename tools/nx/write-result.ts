import { rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../../cache/files/make-folder.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import type { Workspace } from '../session/workspace/workspace.ts'
import type { Pair } from './pairs/pair.ts'
import { resultPath, type PairTarget } from './result-path.ts'

/**
 * Leaves the digest of a pair's result where Nx looks for it. Digests only: this file is copied to Nx's cache, which
 * may be a shared one, and must be the same bytes whenever the result is the same.
 */
export const writeResult = async (
  workspace: Workspace,
  { project, target }: Pair,
  kind: PairTarget,
  result: JsonObject,
): Promise<void> => {
  const file = workspace.path(resultPath(project, kind))
  makeFolder(dirname(file))
  const temporary = `${file}.${process.pid}`
  await writeFile(temporary, `${JSON.stringify({ run: target.spec.name, ...result })}\n`)
  await rename(temporary, file)
}
