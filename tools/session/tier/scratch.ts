import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A folder of a task's own on its node's disk, gone with it: what it paid for lies in the tier. Two tasks on one node, or two
 * attempts at one task, have nothing in common.
 */
export const withScratch = async <T>(
  env: Readonly<Record<string, string | undefined>>,
  use: (folder: string) => Promise<T>,
): Promise<T> => {
  const folder = await mkdtemp(join(env['SLURM_TMPDIR'] || env['TMPDIR'] || tmpdir(), 'medmake-shard-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
