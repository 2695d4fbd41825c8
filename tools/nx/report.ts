import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../../cache/files/folders.ts'
import type { ExecutorContext, TaskGraph } from '@nx/devkit'
import { EXIT, ProblemError } from '../../cache/problems/problem.ts'
import { reportAction } from '../cli/report/action.ts'
import { formatProblems } from '../cli/output/print-problems.ts'
import { findWorkspace, type Workspace } from '../session/workspace/workspace.ts'
import { keepToken, siteIndex, siteKept } from './kept-token.ts'
import type { PairOptions } from './pair-options.ts'
import { REPORT_PATH } from './result-path.ts'
import { withSession } from '../cli/with-session.ts'
import { builtRun } from '../session/built-run.ts'
import { runBatch } from './batch.ts'
import { scorePairs } from './pairs/pair-work.ts'
import { workspacePairs, nxInvocation } from './pairs/workspace-pairs.ts'

/** The target `report`: `medmake report` for these suites, else all, and a note that it was made. */
export const makeSite = async (
  { site, suites = [] }: Pick<PairOptions, 'suites'> & { readonly site?: string },
  { root }: Pick<ExecutorContext, 'root'>,
): Promise<{ success: boolean }> => {
  const workspace = await findWorkspace(root)
  try {
    let made = await makeReport(workspace, suites)
    if (!made.done) {
      for (const text of await rebuildMissing(workspace.root, suites)) process.stdout.write(text)
      made = await makeReport(workspace, suites)
    }
    process.stdout.write(made.output)
    process.stderr.write(made.warnings)
    // What it lacks is told; whoever asks for the report next is told again.
    if (!made.done || made.isPartial) return { success: false }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    process.stderr.write(`${formatProblems(error.problems, false)}\n`)
    return { success: false }
  }
  const note = workspace.path(REPORT_PATH)
  makeFolder(dirname(note))
  await writeFile(note, `${JSON.stringify({ site: siteIndex(workspace) })}\n`)
  keepToken(siteKept(workspace), site, { replace: true })
  return { success: true }
}

interface Made {
  readonly done: boolean
  /** Entries were left out: their benchmark is unknown or can't be run here. */
  readonly isPartial: boolean
  readonly output: string
  readonly warnings: string
}

/** What it says is held back: of two tries only the second one is of interest. */
const makeReport = async ({ root }: Workspace, suites: readonly string[]): Promise<Made> => {
  let [output, warnings] = ['', '']
  const invocation = nxInvocation(root, suites, {
    print: (text) => void (output += `${text}\n`),
    warn: (text) => void (warnings += `${text}\n`),
  })
  const code = await reportAction(invocation)
  return { done: code === EXIT.done, isPartial: invocation.leftOut.length > 0, output, warnings }
}

/**
 * Builds the pairs that Nx took for done and the store lacks: an older copy of it came with a newer cache of Nx.
 * @returns what each came to, as text
 */
const rebuildMissing = async (root: string, suites: readonly string[]): Promise<readonly string[]> => {
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
