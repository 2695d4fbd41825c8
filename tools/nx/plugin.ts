import { relative } from 'node:path'
import type { CreateNodes, CreateNodesResultArray, ProjectConfiguration } from 'nx/src/devkit-exports.js'
import { packageRoot } from '../../cache/package-root.ts'
import { ProblemError } from '../../cache/problem.ts'
import { formatProblems } from '../cli/print-problems.ts'
import { findWorkspace } from '../session/workspace.ts'
import { readDeclarations } from './declarations.ts'
import { siteKept, storeKept, tokenOf } from './kept-token.ts'
import { pairFiles } from './pair-files.ts'
import { leaderboardProject, pairProject } from './pair-project.ts'
import { workspacePairs } from './workspace-pairs.ts'

/**
 * Nx's view of a workspace: a project for each pair of the suites in `targets/*.conf`, and `leaderboard`.
 * Reads declarations only; called once each time Nx makes its graph.
 */
export const createNodes: CreateNodes = [
  'targets/*.conf',
  async (configFiles, _options, context): Promise<CreateNodesResultArray> => {
    const [first] = configFiles
    if (first === undefined) return []
    try {
      return [[first, { projects: await projectsOf(context.workspaceRoot) }]]
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      throw new Error(formatProblems(error.problems, false), { cause: error })
    }
  },
]

const projectsOf = async (root: string): Promise<Record<string, ProjectConfiguration>> => {
  const workspace = await findWorkspace(root)
  const executors = executorsIn(workspace.root)
  const declarations = await readDeclarations(workspace)
  const pairs = await workspacePairs(workspace, declarations)
  const filesOf = pairFiles(workspace)
  const { prices } = declarations.registry
  const store = tokenOf(storeKept(workspace, process.env))
  const projects = [leaderboardProject(executors, { site: tokenOf(siteKept(workspace)), store, prices })]
  for (const pair of pairs.values())
    projects.push(pairProject(pair, { files: await filesOf(pair.target), store, executors }))
  return Object.fromEntries(projects.map((project) => [project.root, project]))
}

/** Our own repository has no medmake among its packages; there the executors go by their folder. */
const executorsIn = (workspace: string): string =>
  relative(packageRoot(), workspace) === '' ? './tools/nx' : 'medmake'
