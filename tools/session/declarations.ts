import { NO_DIGESTS, type BenchmarkContext } from '../../benchmarks/context/context.ts'
import { loadRegistry } from '../../models/registry/load.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'
import { METRIC_CATALOG } from '../../targets/metrics/catalog.ts'
import { dialectOf, type Profile } from '../../targets/profile.ts'
import type { SessionOptions } from './session.ts'
import { checkedMirror } from './workspace/workspace.ts'
import { agreementsOf } from './workspace/config.ts'

/** Models of the catalog, of the workspace and of flags. @throws ProblemError for a faulty declaration */
export const declaredModels = (
  {
    env,
    workspace: { root, config },
    deployments = [],
  }: Pick<SessionOptions, 'env' | 'workspace' | 'deployments'>,
  localPath: string,
): Promise<ModelRegistry> =>
  loadRegistry({
    workspace: root,
    localPath,
    env,
    agreements: agreementsOf(config.data_agreements),
    named: deployments,
  })

const mirrorOf = (env: NodeJS.ProcessEnv, path: (text: string) => string): string | undefined => {
  const named = env['MEDMAKE_MIRROR'] ?? ''
  return named === '' ? undefined : checkedMirror(path(named), 'MEDMAKE_MIRROR')
}

/** Where benchmarks look for declarations and data, and which version of them is wanted. */
export const benchmarksOf = (
  {
    workspace: { root, path, config },
    cwd,
    env,
    mirror = mirrorOf(env, path) ?? config.mirror,
    errata,
    skipBadRows = config.skip_bad_rows,
    csvTypes,
  }: Pick<SessionOptions, 'workspace' | 'cwd' | 'env' | 'mirror' | 'errata' | 'skipBadRows' | 'csvTypes'>,
  profile: Profile,
): Omit<BenchmarkContext, 'fileDigests' | 'onEvent' | 'signal'> => ({
  protocol: dialectOf(profile).protocol,
  errata: errata ?? config.errata,
  skipBadRows,
  ...(csvTypes === undefined ? {} : { csvTypes }),
  workspace: root,
  cwd,
  metrics: METRIC_CATALOG,
  dataPath: path(config.data),
  ...(mirror === undefined ? {} : { mirror: path(mirror) }),
})

/** The same without a session: what reading declarations needs, and no more. */
export const benchmarksSeen = (...given: Parameters<typeof benchmarksOf>): BenchmarkContext => ({
  ...benchmarksOf(...given),
  fileDigests: NO_DIGESTS,
  onEvent: () => {},
  signal: new AbortController().signal,
})
