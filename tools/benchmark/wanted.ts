import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readJudges } from '../../benchmarks/judges/judges.ts'
import type { Access } from '../../benchmarks/scenario/benchmark.ts'
import { codeIds } from '../../benchmarks/user-code/find-code.ts'
import { packageRoot } from '../../cache/package-root.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { loadRegistry } from '../../models/registry/load.ts'
import { METRIC_CATALOG } from '../../targets/metrics/catalog.ts'
import { folderOf, JURY, type Home, type NewBenchmark } from './new-benchmark.ts'
import type { SampleData } from './sample-data.ts'

/** What is said of a benchmark that is to be made, as flags and options tell it. */
export interface Wanted {
  readonly name: string
  readonly description?: string
  readonly access?: Access
  readonly metrics?: readonly string[]
  readonly ownMetric?: string
  /** Deployments. */
  readonly judges?: readonly string[]
  readonly source?: string
  readonly licence?: string
  readonly data?: SampleData
}

/** Metrics that a simple declaration can list, the workspace's own among them. */
export const formMetrics = (root: string): readonly string[] => [
  ...METRIC_CATALOG.sets.flatMap(({ simple = [] }) => simple),
  ...codeIds(root, 'metric'),
]

/** A clone of medmake holds its benchmarks in the catalog. */
export const homeOf = (root: string): Home => (root === packageRoot() ? 'clone' : 'workspace')

/**
 * Checks what is wanted and fills in the rest: private, `exact_match`, the workspace's judges.
 * @param localPath where deployments are declared beside those of the workspace
 * @throws ProblemError `benchmarks/bad-name`, `benchmarks/exists`, `benchmarks/unknown-metric`, `models/unknown-judge`
 */
export const wantedBenchmark = async (
  { metrics, judges, ...wanted }: Wanted,
  root: string,
  localPath: string,
): Promise<NewBenchmark> => {
  requireFree(wanted.name, root)
  if (wanted.ownMetric !== undefined) requireOwn(wanted.ownMetric, root)
  const asked = metrics ?? (wanted.ownMetric === undefined ? ['exact_match'] : [])
  requireMetrics(asked, root)
  return {
    ...wanted,
    access: wanted.access ?? 'private',
    metrics: [...new Set(asked)],
    judges: asked.includes(JURY) ? await judgesOf(judges, { root, localPath }) : [],
  }
}

/** @throws ProblemError `benchmarks/bad-name`, `benchmarks/exists` */
export const requireFree = (name: string, root: string): void => {
  requireName(name, 'benchmark')
  const file = join(root, folderOf(name, homeOf(root)), 'benchmark.yaml')
  if (!existsSync(file)) return
  throw new ProblemError({
    code: 'benchmarks/exists',
    message: `there is a benchmark ${name} already`,
    where: { file },
    remedy: 'Choose another name, or edit that file.',
  })
}

/** @throws ProblemError `benchmarks/unknown-metric` */
export const requireMetrics = (names: readonly string[], root: string): void => {
  const known = formMetrics(root)
  const metric = names.find((name) => !known.includes(name))
  if (metric === undefined) return
  throw new ProblemError({
    code: 'benchmarks/unknown-metric',
    message: `there is no metric ${JSON.stringify(metric)}`,
    remedy: `${suggestion(metric, known)}Known are ${known.join(', ')}; --own-metric ${metric} makes one of your own.`,
  })
}

const requireName = (name: string, of: string): void => {
  if (/^\w[\w-]*$/.test(name)) return
  throw new ProblemError({
    code: 'benchmarks/bad-name',
    message: `${JSON.stringify(name)} is no name for a ${of}`,
    remedy: 'Use letters, digits, dashes and underscores, and begin with none of the dashes.',
  })
}

const requireOwn = (metric: string, root: string): void => {
  requireName(metric, 'metric')
  if (homeOf(root) === 'clone')
    throw new ProblemError({
      code: 'benchmarks/built-in-metric',
      message: 'a built-in benchmark has no metric of a workspace',
      remedy: 'Write a file in targets/metrics and its line in catalog.ts; targets/README.md says how.',
    })
  const builtIn = METRIC_CATALOG.sets.flatMap(({ simple = [] }) => simple)
  if (builtIn.includes(metric))
    throw new ProblemError({
      code: 'benchmarks/bad-name',
      message: `${metric} is a built-in metric`,
      remedy: `Give yours another name, or list it: --metrics ${metric}.`,
    })
}

const judgesOf = async (
  names: readonly string[] | undefined,
  { root, localPath }: { readonly root: string; readonly localPath: string },
): Promise<NewBenchmark['judges']> => {
  if (names === undefined) {
    const found = await readJudges(undefined, { workspace: root, cwd: root })
    return found.judges.map(({ deployment, model }) => ({ name: deployment, model }))
  }
  const registry = await loadRegistry({
    workspace: root,
    localPath,
  })
  return names.map((name) => {
    const deployment = registry.deployment(name) ?? registry.defaultDeployment(name)
    if (deployment !== undefined) return { name: deployment.name, model: deployment.modelName }
    throw new ProblemError({
      code: 'models/unknown-judge',
      message: `there is no deployment ${name} to judge by`,
      remedy: `${registry.suggest(name)}\`medmake models\` lists them.`,
    })
  })
}
