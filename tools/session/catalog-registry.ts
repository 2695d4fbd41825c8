import { join } from 'node:path'
import { packageRoot } from '../../cache/package-root.ts'
import { loadRegistry } from '../../models/registry/load.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'

/** The models and list prices that are built in, whatever a workspace declares. */
export const catalogRegistry = async (): Promise<ModelRegistry> =>
  loadRegistry({
    catalog: join(packageRoot(), 'models/catalog'),
    workspace: join(packageRoot(), 'models/catalog'),
    localPath: join(packageRoot(), 'models/catalog'),
  })
