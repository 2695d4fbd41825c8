import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { packageRoot } from '../../cache/package-root.ts'
import { aboutFields } from '../declaration/about.ts'
import type { Access, Benchmark } from '../scenario/benchmark.ts'

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

/** The same with the reason, where the declaration says otherwise. */
export const accessOf = (
  declared: Access | undefined,
  file: string,
  workspace: string,
): Pick<Benchmark, 'access' | 'accessReason'> => {
  const access = declaredAccess(declared, file, workspace)
  return declared === undefined || access === declared
    ? { access }
    : { access, accessReason: 'it is declared outside of the workspace' }
}

const isInside = (file: string, root: string): boolean =>
  realpathSync(file).startsWith(realpathSync(root) + sep)

/** What a declaration in either form says of its access; nothing where it says something else. */
export const accessIn = (value: unknown): Access | undefined =>
  aboutFields.access.catch(undefined).parse((value as { readonly access?: unknown } | null)?.access)
