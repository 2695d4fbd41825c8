import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../../cache/files/folders.ts'
import type { ExecutorContext } from '@nx/devkit'
import { EXIT, ProblemError } from '../../cache/problems/problem.ts'
import { reportAction } from '../cli/report/action.ts'
import { formatProblems } from '../cli/output/print-problems.ts'
import { findWorkspace, type Workspace } from '../session/workspace/workspace.ts'
import { nxInvocation } from './invocation.ts'
import { keepToken, siteIndex, siteKept } from './kept-token.ts'
import type { PairOptions } from './pair-options.ts'
import { rebuildMissing } from './pairs/rebuild-missing.ts'
import { REPORT_PATH } from './result-path.ts'

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
