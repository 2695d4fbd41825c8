import type { Tree } from '@nx/devkit'
import { ProblemError } from '../../../cache/problems/problem.ts'

/** A generator adds; what a user wrote stays. @throws ProblemError `nx/exists` */
export const refuseExisting = (tree: Tree, file: string): void => {
  if (!tree.exists(file)) return
  throw new ProblemError({
    code: 'nx/exists',
    message: `${file} is there already`,
    where: { file },
    remedy: 'Choose another name, or edit that file.',
  })
}
