import { relative, sep } from 'node:path'
import type {
  CreateDependenciesContext,
  CreateNodesContext,
  CreateNodesResultArray,
  ProjectConfiguration,
} from '@nx/devkit'
import { packageRoot } from '../../cache/package-root.ts'
import { releaseProcess } from '../../cache/user-code/guards.ts'
import { toldWhole } from '../cli/output/print-problems.ts'
import { listSuites } from '../session/suites.ts'
import { findWorkspace, type Workspace } from '../session/workspace/workspace.ts'
import { siteKept, storeKept, tokenOf } from './kept-token.ts'
import { pairFiles } from './pairs/pair-files.ts'
import { leaderboardProject, LEADERBOARD, pairProject, TECHNOLOGIES } from './pairs/pair-project.ts'
import { readOptions } from './plugin-options.ts'
import { pairsProfile, workspacePairs } from './pairs/workspace-pairs.ts'
import type { BenchmarkContext } from '../../benchmarks/context/context.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'
import type { Profile } from '../../targets/profile.ts'
import { benchmarksSeen, declaredModels } from '../session/declarations.ts'
import type { Pair } from './pairs/pair.ts'
import { slug } from './pairs/pair-name.ts'

/**
 * Nx's view of a workspace: a project for each pair of the suites in `targets/*.conf`, for each benchmark and model of
 * them, and `leaderboard`. Reads declarations only; called once each time Nx makes its graph.
 *
 * @param configFiles suites and medmake.yaml, as `index.cjs` asks Nx for them
 */
export const createNodes = async (
  configFiles: readonly string[],
  options: unknown,
  { workspaceRoot }: Pick<CreateNodesContext, 'workspaceRoot'>,
): Promise<CreateNodesResultArray> => {
  const first = configFiles.find((file) => file.endsWith('.conf')) ?? configFiles[0]
  try {
    if (first === undefined) return []
    // A workspace without suites of its own has those that nx.json names.
    if (!first.endsWith('.conf') && readOptions(options).suites.length === 0) return []
    return [[first, { projects: await projectsOf(workspaceRoot, options) }]]
  } catch (error) {
    throw toldWhole(error)
  } finally {
    // Metrics of the workspace say themselves what they measure.
    releaseProcess()
  }
}

const projectsOf = async (root: string, options: unknown): Promise<Record<string, ProjectConfiguration>> => {
  const { suites, names } = readOptions(options)
  const workspace = await findWorkspace(root)
  const executors = executorsIn(workspace.root)
  const declarations = await readDeclarations(workspace, await pairsProfile(workspace, suites))
  const pairs = await workspacePairs(workspace, declarations, suites)
  const filesOf = pairFiles(workspace)
  const { registry } = declarations
  const localPath = relative(workspace.root, workspace.path(workspace.config.local_path)).replaceAll(sep, '/')
  const shared = { executors, names, store: tokenOf(storeKept(workspace, process.env)), suites }
  const site = tokenOf(siteKept(workspace))
  const projects = [
    leaderboardProject({ ...shared, site, prices: registry.prices, localPath }),
    ...partProjects(pairs.values(), registry),
  ]
  const own = await listSuites(workspace.root)
  for (const pair of pairs.values()) {
    const { inside, outside } = await filesOf(pair.target)
    // `nx affected` looks for changes among inputs: an entry more, or other settings, is one as well.
    const asking = pair.suites.filter((suite) => own.has(suite)).map((suite) => `targets/${suite}.conf`)
    const files = { inside: [...inside, ...asking, 'medmake.yaml'], outside }
    projects.push(pairProject(pair, { ...shared, files }))
  }
  return Object.fromEntries(projects.map((project) => [project.root, project]))
}

/** Our own repository has no medmake among its packages; there the executors go by their folder. */
const executorsIn = (workspace: string): string =>
  relative(packageRoot(), workspace) === '' ? './tools/nx' : 'medmake'

/** Tags of a pair that name what it depends on, and the folder of projects that each names. */
const PARTS = [
  ['bench:', 'benchmarks/'],
  ['model:', 'models/'],
] as const

/** One of Devkit's dependencies; its own enum of types would load Devkit. */
interface Edge {
  readonly source: string
  readonly target: string
  readonly type: 'implicit'
}

/** Benchmark and model → pair → leaderboard, told from the projects' tags. */
export const createDependencies = (
  _options: unknown,
  { projects }: Pick<CreateDependenciesContext, 'projects'>,
): readonly Edge[] => {
  const edges: Edge[] = []
  for (const [source, { tags = [] }] of Object.entries(projects)) {
    if (!tags.includes('pair')) continue
    if (LEADERBOARD in projects) edges.push({ source: LEADERBOARD, target: source, type: 'implicit' })
    for (const tag of tags)
      for (const [prefix, folder] of PARTS) {
        const target = `${folder}${tag.slice(prefix.length)}`
        if (tag.startsWith(prefix) && target in projects) edges.push({ source, target, type: 'implicit' })
      }
  }
  return edges
}

/** What resolving run entries needs, and no more: no store, no credentials, no client. */
const readDeclarations = async (
  workspace: Workspace,
  profile: Profile,
): Promise<{ readonly registry: ModelRegistry; readonly benchmarks: BenchmarkContext }> => {
  const { env } = process
  return {
    registry: await declaredModels({ env, workspace }, workspace.path(workspace.config.local_path)),
    benchmarks: benchmarksSeen({ workspace, cwd: workspace.root, env }, profile),
  }
}

/** The benchmarks and models of these pairs as projects without targets: what pairs depend on in the graph. */
const partProjects = (
  pairs: Iterable<Pair>,
  registry: Pick<ModelRegistry, 'model'>,
): readonly ProjectConfiguration[] => {
  const parts = new Map<string, ProjectConfiguration>()
  for (const { target } of pairs) {
    const { benchmark, adapter } = target.spec
    const part = (root: string, kind: string, description: string): void => {
      if (!parts.has(root))
        parts.set(root, {
          name: root,
          root,
          tags: [kind],
          metadata: { description, technologies: TECHNOLOGIES },
          targets: {},
        })
    }
    part(`benchmarks/${slug(benchmark.name)}`, 'benchmark', benchmark.description)
    const { displayName, description } = registry.model(adapter.model) ?? {}
    part(`models/${slug(adapter.model)}`, 'model', [displayName, description].filter(Boolean).join('. '))
  }
  return [...parts.values()]
}
