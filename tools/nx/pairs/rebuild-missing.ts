import type { TaskGraph } from '@nx/devkit'
import { withSession } from '../../cli/with-session.ts'
import { builtRun } from '../../session/built-run.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { runBatch } from '../batch.ts'
import { nxInvocation } from '../invocation.ts'
import { scorePairs } from './pair-work.ts'
import { workspacePairs } from './workspace-pairs.ts'

/**
 * Builds the pairs that Nx took for done and the store lacks: an older copy of it came with a newer cache of Nx.
 * @returns what each came to, as text
 */
export const rebuildMissing = async (root: string, suites: readonly string[]): Promise<readonly string[]> => {
  const texts: string[] = []
  let left = await missingPairs(root, suites)
  while (left.length > 0) {
    const tasks = Object.fromEntries(left.map((project) => [project, taskOf(project)]))
    const before = left.length
    for await (const { task, result } of runBatch({ tasks }, { root }, scorePairs, { suites })) {
      texts.push(result.terminalOutput)
      left = left.filter((project) => project !== task)
    }
    // A wave ends early by itself; one that did nothing was stopped.
    if (left.length === before) break
  }
  return texts
}

const taskOf = (project: string): Task => ({
  id: project,
  target: { project, target: 'score' },
  overrides: {},
  outputs: [],
  parallelism: true,
  cache: false,
})

type Task = TaskGraph['tasks'][string]

const missingPairs = async (root: string, chosen: readonly string[]): Promise<readonly string[]> => {
  const workspace = await findWorkspace(root)
  return withSession(nxInvocation(root, chosen), { workspace, readOnly: true }, async (session) => {
    const missing: string[] = []
    for (const { project, target, suites } of (await workspacePairs(workspace, session, chosen)).values())
      if ((await builtRun({ suite: suites[0] ?? '', target }, session, false)) === undefined)
        missing.push(project)
    return missing
  })
}
