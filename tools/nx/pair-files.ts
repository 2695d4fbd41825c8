import { readFile, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { digestJson, digestOf, type Digest } from '../../cache/digest.ts'
import { packageRoot } from '../../cache/package-root.ts'
import type { Target } from '../../targets/scheduler/target.ts'

/** Files that a pair hangs on. */
export interface PairFiles {
  /** Relative to the workspace, `/` between the parts: Nx hashes these and `nx affected` looks for them. */
  readonly inside: readonly string[]
  /** Digest of those that Nx can't see: in the installed package, or outside the workspace. */
  readonly outside: Digest
}

/** Tells the files of targets; each file is looked at once, however many targets share it. */
export const pairFiles = (workspace: string): ((target: Target) => Promise<PairFiles>) => {
  const seen = new Map<string, Promise<string>>()
  const identity = (file: string): Promise<string> => {
    const known = seen.get(file) ?? identityOf(file)
    seen.set(file, known)
    return known
  }
  return async ({ spec, deployment, judges }) => {
    const declared = [
      ...spec.benchmark.files,
      deployment.file,
      ...judges.map(({ deployment: { file } }) => file),
    ]
    const files = [...new Set(declared.map((file) => relative(workspace, join(workspace, file))))].toSorted()
    const outside = files.filter((file) => isOutside(file))
    return {
      inside: files.filter((file) => !isOutside(file)).map((file) => file.replaceAll(sep, '/')),
      outside: digestJson<'file'>(await Promise.all(outside.map((file) => identity(join(workspace, file))))),
    }
  }
}

const isOutside = (file: string): boolean =>
  file.startsWith('..') || isAbsolute(file) || file.split(sep)[0] === 'node_modules'

/**
 * A file of our own package by its content, so that a new installation of the same version changes nothing.
 * Data outside the workspace may be large: it goes by path, size and time; a copy of the same bytes costs one look.
 */
const identityOf = async (file: string): Promise<string> => {
  const within = relative(packageRoot(), file)
  if (!isOutside(within)) return `${within.replaceAll(sep, '/')} ${digestOf<'file'>(await readFile(file))}`
  const found = await stat(file, { bigint: true }).catch(() => undefined)
  return found === undefined ? `${file} missing` : `${file} ${found.size} ${found.mtimeNs}`
}
