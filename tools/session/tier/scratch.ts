import { lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refuseNetworkFolder } from '../../../cache/disk-space.ts'
import { readFileSync } from '../../../cache/files/read.ts'
import {
  formatIdentity,
  identifyProcess,
  parseIdentity,
  standingOf,
} from '../../../cache/processes/process-identity.ts'
import { ProblemError, reasonOf } from '../../../cache/problems/problem.ts'

export interface Scratch {
  readonly storePath: string
  /** Leaves it there: what could not be brought elsewhere lies in it. */
  readonly keep: () => void
}

const PREFIX = 'medmake-shard-'
/** Who works in it, until it ends or leaves it behind on purpose. */
const ownerFile = (folder: string): string => join(folder, 'owner')

const isLeft = (folder: string): boolean => {
  try {
    const { uid } = lstatSync(folder)
    const owner = parseIdentity(readFileSync(ownerFile(folder), 'utf8'))
    if (uid !== process.getuid?.() || owner === undefined) return false
    const self = identifyProcess()
    return standingOf(owner, self) === 'gone' || (owner.boot !== self.boot && isOfEarlierBoot(folder))
  } catch {
    return false
  }
}

/** Milliseconds: a task's store gives a sign of life every two seconds. */
const SILENCE = 86_400_000

/**
 * Of a folder whose owner had another boot: no other machine has one on a disk of this one, and nobody writes to it. The first
 * alone could be wrong of a disk that two machines share, the second of a task that is stopped.
 */
const isOfEarlierBoot = (folder: string): boolean => {
  refuseNetworkFolder(folder)
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (name) => lstatSync(join(folder, name)).mtimeMs,
  )
  return Math.max(...written) < Date.now() - SILENCE
}

/** Removes what tasks left that were killed: those that ended for certain, on this machine. */
const sweep = (parent: string): void => {
  try {
    for (const entry of readdirSync(parent, { withFileTypes: true })) {
      const folder = join(parent, entry.name)
      if (entry.isDirectory() && entry.name.startsWith(PREFIX) && isLeft(folder))
        rmSync(folder, { recursive: true, force: true })
    }
  } catch {
    // Its room is missed when it is needed.
  }
}

/** @throws ProblemError `cache/no-scratch` */
const ownFolder = async (parent: string): Promise<string> => {
  try {
    const folder = await mkdtemp(join(parent, PREFIX))
    writeFileSync(ownerFile(folder), formatIdentity(identifyProcess()))
    return folder
  } catch (error) {
    throw new ProblemError(
      {
        code: 'cache/no-scratch',
        message: `no folder can be made for this task's own store: ${reasonOf(error)}`,
        where: { file: parent },
        remedy: 'Set SLURM_TMPDIR or TMPDIR to a folder on this node’s disk that you may write to.',
      },
      { cause: error },
    )
  }
}

/**
 * A folder of a task's own on its node's disk, gone with it: what it paid for lies in the tier. Two tasks on one node, or two
 * attempts at one task, have nothing in common. What a task left that was killed goes with the next one's start.
 */
export const withScratch = async <T>(
  env: NodeJS.ProcessEnv,
  use: (scratch: Scratch) => Promise<T>,
): Promise<T> => {
  const parent = env['SLURM_TMPDIR'] || env['TMPDIR'] || tmpdir()
  const folder = await ownFolder(parent)
  sweep(parent)
  let kept = false
  const keep = (): void => {
    kept = true
    rmSync(ownerFile(folder), { force: true })
  }
  try {
    return await use({ storePath: join(folder, 'store'), keep })
  } finally {
    if (!kept) await rm(folder, { recursive: true, force: true })
  }
}
