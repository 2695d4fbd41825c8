import type { BenchmarkContext } from '../../benchmarks/context/context.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'
import type { Profile } from '../../targets/profile.ts'
import { benchmarksOf, declaredModels } from '../session/declarations.ts'
import type { Workspace } from '../session/workspace/workspace.ts'

/** What resolving run entries needs, and no more: no store, no credentials, no client. */
export const readDeclarations = async (
  workspace: Workspace,
  profile: Profile,
): Promise<{ readonly registry: ModelRegistry; readonly benchmarks: BenchmarkContext }> => {
  const { env } = process
  return {
    registry: await declaredModels({ env, workspace }, workspace.path(workspace.config.local_path)),
    benchmarks: {
      ...benchmarksOf({ workspace, cwd: workspace.root, env }, profile),
      fileDigests: { get: () => undefined, put: async () => {} },
      onEvent: () => {},
      signal: new AbortController().signal,
    },
  }
}
