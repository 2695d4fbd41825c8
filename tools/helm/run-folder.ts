import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../cache/files/make-folder.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'

declare const OPENED: unique symbol

/** A folder that may take a run's texts: somebody looked at who may read them. */
export interface RunFolder {
  readonly path: string
  readonly [OPENED]: true
}

/** Makes a run's folder; nobody but its owner enters that of a benchmark that is not public. */
export const openRunFolder = async (
  path: string,
  { access }: Pick<Benchmark, 'access'>,
): Promise<RunFolder> => {
  if (access !== 'public') await closeToOthers(path)
  makeFolder(path)
  // Files take over their folder's mode.
  if (access !== 'public') await chmod(path, 0o700)
  return { path } as RunFolder
}

/** Of a release whose maker said by name that its texts may be handed out. */
export const handedOutFolder = (path: string, _run: { readonly withText: true }): RunFolder =>
  ({ path }) as RunFolder

/** What was written while the benchmark was public. */
export const closeToOthers = async (path: string): Promise<void> => {
  const mode = (await stat(path).catch(() => undefined))?.mode
  if (mode === undefined || (mode & 0o077) === 0) return
  await chmod(path, 0o700)
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isFile()) await chmod(join(path, entry.name), 0o600)
}
