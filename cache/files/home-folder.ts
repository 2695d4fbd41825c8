import { homedir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** By USERPROFILE on Windows; elsewhere Node asks HOME, which may be relative. */
const ofUser = (): string => (isAbsolute(homedir()) ? homedir() : userInfo().homedir)

/**
 * The user's home. A container may run as a user of whom its list knows nothing, and without HOME: then it is the root, as
 * with Docker. Never a place in the working folder, where an empty or relative HOME would put a vault's key.
 */
export const homeFolder = (env: NodeJS.ProcessEnv, ofSystem: () => string = ofUser): string => {
  const { HOME = '' } = env
  if (isAbsolute(HOME)) return HOME
  try {
    return ofSystem() || '/'
  } catch {
    return '/'
  }
}

/** The user's folder for caches or settings. As XDG's rules ask, a relative one of the environment does not count. */
export const userFolder = (env: NodeJS.ProcessEnv, kind: 'cache' | 'config'): string => {
  const named = env[`XDG_${kind.toUpperCase()}_HOME`] ?? ''
  return isAbsolute(named) ? named : join(homeFolder(env), `.${kind}`)
}
