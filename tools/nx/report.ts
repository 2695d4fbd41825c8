import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ExecutorContext } from 'nx/src/devkit-exports.js'
import { EXIT, ProblemError } from '../../cache/problem.ts'
import { reportAction } from '../cli/actions/report.ts'
import { formatProblems } from '../cli/print-problems.ts'
import { findWorkspace } from '../session/workspace.ts'
import { siteIndex } from './lost-report.ts'
import { REPORT_PATH } from './result-path.ts'

/** The target `report`: `medmake report` for all suites, and a note that it was made. */
export const report = async (
  _options: unknown,
  { root }: Pick<ExecutorContext, 'root'>,
): Promise<{ success: boolean }> => {
  const workspace = await findWorkspace(root)
  try {
    const code = await reportAction({
      args: [],
      flags: {},
      cwd: workspace.root,
      env: process.env,
      print: (text) => void process.stdout.write(`${text}\n`),
      warn: (text) => void process.stderr.write(`${text}\n`),
      strictHelm: false,
    })
    if (code !== EXIT.done) return { success: false }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    process.stderr.write(`${formatProblems(error.problems, false)}\n`)
    return { success: false }
  }
  const note = workspace.path(REPORT_PATH)
  await mkdir(dirname(note), { recursive: true })
  await writeFile(note, `${JSON.stringify({ site: siteIndex(workspace) })}\n`)
  return { success: true }
}
