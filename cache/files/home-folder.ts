import { homedir } from 'node:os'

/**
 * The user's home. A container may run as a user of whom its list knows nothing, and without HOME: then it is the root, as
 * with Docker. Never the working folder, in which an empty HOME would put a vault's key.
 */
export const homeFolder = (env: NodeJS.ProcessEnv, ofSystem: () => string = homedir): string => {
  if (env['HOME']) return env['HOME']
  try {
    return ofSystem() || '/'
  } catch {
    return '/'
  }
}
