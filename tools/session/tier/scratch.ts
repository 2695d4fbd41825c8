import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProblemError } from '../../../cache/problems/problem.ts'

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
  const parent = env['SLURM_TMPDIR'] || env['TMPDIR'] || tmpdir()
  const folder = await mkdtemp(join(parent, 'medmake-shard-')).catch((error: unknown) => {
    throw new ProblemError(
      {
        code: 'cache/no-scratch',
        message: `no folder can be made for this task's own store: ${error instanceof Error ? error.message : String(error)}`,
        where: { file: parent },
        remedy: 'Set SLURM_TMPDIR or TMPDIR to a folder on this node’s disk that you may write to.',
      },
      { cause: error },
    )
  })
  let kept = false
  try {
    return await use({ storePath: join(folder, 'store'), keep: () => void (kept = true) })
  } finally {
    if (!kept) await rm(folder, { recursive: true, force: true })
  }
}
