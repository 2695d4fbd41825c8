import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { packageRoot } from '../../cache/package-root.ts'
import type { Access } from '../scenario/benchmark.ts'

/**
 * The access that a declaration has, which is private until it says otherwise. Only a file of the workspace, which its
 * owners review, or of this package can say otherwise: a file from elsewhere may name any table.
 *
 * @param file the declaration, which exists
 */
export const declaredAccess = (declared: Access | undefined, file: string, workspace: string): Access =>
  declared !== undefined && [workspace, packageRoot()].some((root) => isInside(file, root))
    ? declared
    : 'private'

const isInside = (file: string, root: string): boolean =>
  realpathSync(file).startsWith(realpathSync(root) + sep)
