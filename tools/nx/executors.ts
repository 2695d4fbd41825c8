import type { ExecutorContext, TaskGraph } from '@nx/devkit'
import { releaseProcess } from '../../cache/user-code/guards.ts'
import { toldWhole } from '../cli/output/print-problems.ts'
import { runBatch, type PairWork, type TaskDone } from './batch.ts'
import { generatePairs, scorePairs } from './pairs/pair-work.ts'
import type { PairOptions } from './pair-options.ts'
import { makeSite } from './report.ts'

type Batch = (
  graph: Pick<TaskGraph, 'tasks'>,
  /** Options by task. */
  inputs: Readonly<Record<string, PairOptions>>,
  overrides: unknown,
  context: Pick<ExecutorContext, 'root'>,
) => AsyncGenerator<TaskDone>

type Single = (
  options: PairOptions,
  context: Pick<ExecutorContext, 'root' | 'projectName' | 'targetName'>,
) => Promise<{ success: boolean }>

const batchOf = (work: PairWork): Batch =>
  async function* (graph, inputs, _overrides, context) {
    try {
      yield* runBatch(graph, context, work, Object.values(inputs)[0])
    } catch (error) {
      throw toldWhole(error)
    } finally {
      releaseProcess()
    }
  }

/** With `--batch=false` Nx gives each task a process of its own, without a graph. */
const singleOf =
  (work: PairWork): Single =>
  async (options, { root, projectName = '', targetName = '' }) => {
    const task = { id: 'task', target: { project: projectName, target: targetName } }
    const graph = { tasks: { task: task as TaskGraph['tasks'][string] } }
    let success = false
    for await (const { result } of batchOf(work)(graph, { task: options }, undefined, { root })) {
      process.stdout.write(result.terminalOutput)
      success = result.success
    }
    return { success }
  }

export const generateBatch: Batch = batchOf(generatePairs)
export const scoreBatch: Batch = batchOf(scorePairs)
export const generate: Single = singleOf(generatePairs)
export const score: Single = singleOf(scorePairs)

export const report: typeof makeSite = async (...args) => {
  try {
    return await makeSite(...args)
  } finally {
    releaseProcess()
  }
}
