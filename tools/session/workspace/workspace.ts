import { statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve, basename } from 'node:path'
import { exists, isThere, namesIn } from '../../../cache/files/read.ts'
import { readConfig, type Config } from './config.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { findVaultKey, keyOrigin, type KeyOrigin } from '../../../cache/vault/vault-key.ts'

/** A folder with `benchmarks/`, `models/`, `targets/`; any folder will do for commands that name their files. */
export interface Workspace {
  readonly root: string
  readonly config: Config
  /** An absolute path from one of the config, which is relative to the root. */
  readonly path: (relative: string) => string
}

/** The folder of a workspace's store, unless a flag names another. */
export const storePathOf = ({ config, path }: Workspace, env: NodeJS.ProcessEnv): string =>
  path(env['MEDMAKE_STORE'] || config.store.path)

/** The nearest folder upwards with a medmake.yaml, else the folder itself. */
export const findWorkspace = async (cwd: string): Promise<Workspace> => {
  const root = (await upwards(cwd)) ?? cwd
  const config = await readConfig(root)
  return { root, config, path: (relative) => (isAbsolute(relative) ? relative : join(root, relative)) }
}

const upwards = async (from: string): Promise<string | undefined> => {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (await exists(join(folder, 'medmake.yaml'))) return folder
    if (dirname(folder) === folder) return undefined
  }
}

/** Where a workspace's vault takes its key from. */
export const vaultKeyOrigin = (
  env: NodeJS.ProcessEnv,
  { config: { vault_key_file: file }, path }: Workspace,
): KeyOrigin => keyOrigin(env, file === undefined ? undefined : path(file))

/** Tells the key from others; undefined where none can be read. None is made. */
export const keyMark = (origin: KeyOrigin): string | undefined => {
  try {
    return findVaultKey(origin, { folder: '', exists: false, mayMake: false }).key.mark
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

/**
 * The folder that a flag or variable names as a mirror.
 * @throws ProblemError `config/mirror` for a folder with nothing: it would stand for a web without any file
 */
export const checkedMirror = (folder: string, namedBy: string): string => {
  const found = isThere(folder)
  if (found && statSync(folder).isDirectory() && namesIn(folder).length > 0) return folder
  throw new ProblemError({
    code: 'config/mirror',
    message: found ? `${folder} holds no files` : `there is no folder ${folder}`,
    where: { field: namedBy },
    remedy:
      'Name a folder that holds the files of data sets by host and path, such as raw.githubusercontent.com/….',
  })
}

/**
 * The folder of a workspace's own deployments and keys, as a flag or setting names it. `prod_env`, HELM's name for it, may
 * be missing.
 *
 * @throws ProblemError `config/local-path`: without it other deployments would be asked, elsewhere and at other prices
 */
export const checkedLocalPath = (folder: string, namedBy: string): string => {
  if (basename(folder) === 'prod_env' || isThere(folder)) return folder
  throw new ProblemError({
    code: 'config/local-path',
    message: `there is no folder ${folder}`,
    where: { field: namedBy },
    remedy:
      'Name the folder that holds model_deployments.yaml, model_metadata.yaml or credentials.conf, or leave it out.',
  })
}

/** The one of medmake.yaml. @throws ProblemError `config/local-path` */
export const configuredLocalPath = ({ path, config }: Pick<Workspace, 'path' | 'config'>): string =>
  checkedLocalPath(path(config.local_path), 'local_path')
