import { basename } from 'node:path'
import { isThere } from '../../cache/files/read.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { Workspace } from './workspace/workspace.ts'

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
