import type { ModelRegistry } from './registry.ts'

/** Who made a model, and whether any declaration says so. */
export interface Family {
  readonly name: string
  readonly known: boolean
}

/** What the registry holds where no metadata names a model's maker. */
export const UNKNOWN_MAKER = 'Unknown'

/** A model's family is its maker's organisation; a model of which nothing is said is a family of its own. */
export const familyOf = (model: string, registry: Pick<ModelRegistry, 'model'>): Family => {
  const maker = registry.model(model)?.creatorOrganization ?? UNKNOWN_MAKER
  return maker === UNKNOWN_MAKER ? { name: model, known: false } : { name: maker, known: true }
}
