import { builtInModels, loadRegistry } from '../../models/registry/load.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'

/** The models and list prices that are built in, whatever a workspace declares. */
export const catalogRegistry = async (): Promise<ModelRegistry> =>
  loadRegistry({ workspace: builtInModels(), localPath: builtInModels() })
