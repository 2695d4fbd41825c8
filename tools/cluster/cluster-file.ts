import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readFileSync } from '../../cache/files/read.ts'
import { makeSyncedFolder } from '../../cache/files/folders.ts'
import { replaceFile } from '../../cache/files/write.ts'
import { errorCode } from '../../cache/problems/system-problem.ts'
import type { Json } from '../../cache/values/json.ts'
import { storedShape } from '../../cache/stored-shape.ts'
import type { Digest } from '../../cache/values/digest.ts'
import { ProblemError } from '../../cache/problems/problem.ts'

/** What `cluster plan` found and `cluster submit` sent; beside the scripts, by their name. */
export interface ClusterFile {
  readonly plan: Digest<'plan'>
  readonly shards: number
  /** As it was named. */
  readonly tier: string
  /** Suites and flags of `medmake run`. */
  readonly run: readonly string[]
  /** Flags of the tasks alone. */
  readonly caps: readonly string[]
  /** `head` is absent where Slurm did not take it. */
  readonly jobs: readonly { readonly array: string; readonly head?: string }[]
}

export const clusterFolder = (root: string): string => join(root, 'cluster')

/** Of scripts and files: the suites' names. */
export const clusterName = (suites: readonly string[]): string => suites.join('+') || 'all'

const fileOf = (root: string, name: string): string => join(clusterFolder(root), `${name}.json`)

export const writeClusterFile = (root: string, name: string, file: ClusterFile): void => {
  makeSyncedFolder(join(clusterFolder(root), 'logs'))
  replaceFile(fileOf(root, name), `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o666 })
}

const clusterFile = storedShape<ClusterFile>('a plan', {
  plan: 'text',
  shards: 'number',
  tier: 'text',
  run: 'list',
  caps: 'list',
  jobs: 'list',
})

/** Undefined where nothing was planned, and for what is damaged. */
export const findClusterFile = (root: string, name: string): ClusterFile | undefined => {
  try {
    return clusterFile(JSON.parse(readFileSync(fileOf(root, name), 'utf8')) as Json)
  } catch (error) {
    const isUnread = error instanceof SyntaxError || error instanceof ProblemError
    if (!isUnread && errorCode(error) !== 'ENOENT') throw error
    return undefined
  }
}

/** @throws ProblemError `cluster/no-plan`, for a damaged one as well */
export const readClusterFile = (root: string, name: string): ClusterFile => {
  const file = findClusterFile(root, name)
  if (file !== undefined) return file
  throw new ProblemError({
    code: 'cluster/no-plan',
    message: existsSync(fileOf(root, name))
      ? `what was planned for ${name} can't be read`
      : `nothing was planned for ${name}`,
    where: { file: fileOf(root, name) },
    remedy: `Run \`medmake cluster plan ${name === 'all' ? '' : `${name.replaceAll('+', ' ')} `}--tasks 16 --tier /folder/that/all/nodes/reach\` first.`,
  })
}
