import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Scratch {
  readonly storePath: string
  /** Leaves it there: what could not be brought elsewhere lies in it. */
  readonly keep: () => void
}

/**
 * A folder of a task's own on its node's disk, gone with it: what it paid for lies in the tier. Two tasks on one node, or two
 * attempts at one task, have nothing in common.
 */
export const withScratch = async <T>(
  env: Readonly<Record<string, string | undefined>>,
  use: (scratch: Scratch) => Promise<T>,
): Promise<T> => {
  const folder = await mkdtemp(join(env['SLURM_TMPDIR'] || env['TMPDIR'] || tmpdir(), 'medmake-shard-'))
  let kept = false
  try {
    return await use({ storePath: join(folder, 'store'), keep: () => void (kept = true) })
  } finally {
    if (!kept) await rm(folder, { recursive: true, force: true })
  }
}
