import { lstatSync } from 'node:fs'
import { hostname } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { userFolder } from '../../cache/files/home-folder.ts'

/**
 * Where the processes of this machine and user meet; `MEDMAKE_LIMITS` names another folder. Never one that other users
 * write to, who could take the place first.
 */
export const limitsFolder = (env: NodeJS.ProcessEnv): string => {
  if (env['MEDMAKE_LIMITS']) return env['MEDMAKE_LIMITS']
  const runtime = env['XDG_RUNTIME_DIR'] ?? ''
  if (isAbsolute(runtime) && isOwn(runtime)) return join(runtime, 'medmake', 'limits')
  // Machines may share a home.
  return join(userFolder(env, 'cache'), 'medmake', 'limits', hostname())
}

/** This user's, and closed to others. */
export const isOwn = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
}
