import type { BenchmarkContext } from '../../benchmarks/context/context.ts'
import { loadRegistry } from '../../models/registry/load.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'
import { METRIC_CATALOG } from '../../targets/metrics/catalog.ts'
import { dialectOf } from '../../targets/profile.ts'
import type { Workspace } from '../session/workspace/workspace.ts'

/** What resolving run entries needs, and no more: no store, no credentials, no client. */
export const readDeclarations = async (
  workspace: Workspace,
): Promise<{ readonly registry: ModelRegistry; readonly benchmarks: BenchmarkContext }> => ({
  registry: await loadRegistry({
    workspace: workspace.root,
    localPath: workspace.path(workspace.config.local_path),
    env: process.env,
  }),
  benchmarks: {
    workspace: workspace.root,
    cwd: workspace.root,
    dataPath: workspace.path(workspace.config.data),
    protocol: dialectOf(workspace.config.profile).protocol,
    errata: workspace.config.errata,
    skipBadRows: workspace.config.skip_bad_rows,
    metrics: METRIC_CATALOG,
    fileDigests: { get: () => undefined, put: async () => {} },
    onEvent: () => {},
    signal: new AbortController().signal,
  },
})
