import { existsSync, rmSync, statSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { readFileSync } from '../../cache/files/read.ts'
import { makeFolder } from '../../cache/files/folders.ts'
import { replaceFile, writeOnce } from '../../cache/files/write.ts'
import { storePathOf, type Workspace } from '../session/workspace/workspace.ts'

/*
 * Nx may know a task's result where what it names is not: its cache travels (a remote one, one kept by a CI job), the
 * store and the site stay. So a token that lies with them is part of the tasks' options. Where there is none, a new
 * one is made, which no entry of any cache has; who builds the thing leaves the token there.
 */

/** What a token says the presence of. */
export interface KeptToken {
  /** File of the token. */
  readonly token: string
  /** The token counts only while this is there. */
  readonly proof: string
}

/** Results of pairs lie in the store. */
export const storeKept = (workspace: Workspace, env: NodeJS.ProcessEnv): KeptToken => {
  const folder = storePathOf(workspace, env)
  return { token: join(folder, 'nx-token'), proof: folder }
}

/** Pages hold texts, so they are no output of Nx's. */
export const siteKept = (workspace: Workspace): KeptToken => ({
  token: workspace.path('cache/results/leaderboard/site-token'),
  proof: workspace.path(siteIndex(workspace)),
})

/** Called where the site is written, or what it shows beside results changes: Nx's next report is none of its hits. */
export const forgetSite = (workspace: Workspace): void => rmSync(siteKept(workspace).token, { force: true })

/** The site's first page, relative to the workspace. */
export const siteIndex = ({ config }: Workspace): string => join(config.output_path, 'site/index.html')

/** The token, or a new one that nothing was built under. */
export const tokenOf = (kept: KeptToken): string => keptIn(kept) ?? randomUUID()

/** Of a copy it says nothing: what the other one was given since then is not in it, and what it knows Nx may know. */
const keptIn = ({ token, proof }: KeptToken): string | undefined => {
  if (!existsSync(token)) return undefined
  const [value, place] = readFileSync(token, 'latin1').split(' ')
  return place !== undefined && place === placeOf(proof) ? value : undefined
}

/** Another one for each copy; undefined where there is nothing. */
const placeOf = (path: string): string | undefined => {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
  return stat && `${stat.ino}-${stat.birthtimeNs}`
}

/** Leaves the token that a task was started with; `replace` where what it stands for was made anew. */
export const keepToken = (
  kept: KeptToken,
  value: string | undefined,
  { replace }: { readonly replace: boolean },
): void => {
  const place = placeOf(kept.proof)
  if (value === undefined || place === undefined) return
  makeFolder(dirname(kept.token))
  // Where another run was first, the next graph takes its token.
  const isFirst = !existsSync(kept.token) || keptIn(kept) !== undefined
  const put = isFirst && !replace ? writeOnce : replaceFile
  put(kept.token, `${value} ${place}`, { mode: 0o666 })
}
