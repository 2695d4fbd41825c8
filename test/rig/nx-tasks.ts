import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CliOptions } from './medmake.ts'
import { nx, type NxResult } from './nx.ts'

/** What a run of Nx did, by its own notes. */
export interface NxRun extends NxResult {
  /** Tasks that ran, as `project:target`, sorted. */
  readonly ran: readonly string[]
  /** Tasks whose result came from Nx's cache. */
  readonly hits: number
  readonly failed: readonly string[]
}

interface Notes {
  readonly tasks: readonly {
    readonly taskId: string
    readonly cacheStatus: string
    readonly status: number
  }[]
}

/** Runs targets and tells which of them Nx executed. */
export const nxRun = async (args: readonly string[], options: CliOptions): Promise<NxRun> => {
  const result = await nx(args, options)
  const { tasks } = JSON.parse(readFileSync(join(options.cwd, 'cache/nx/run.json'), 'utf8')) as Notes
  const missed = tasks.filter(({ cacheStatus }) => cacheStatus === 'cache-miss')
  return {
    ...result,
    ran: missed.map(({ taskId }) => taskId).sort(),
    hits: tasks.length - missed.length,
    failed: missed.filter(({ status }) => status !== 0).map(({ taskId }) => taskId),
  }
}
