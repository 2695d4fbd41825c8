import type { TableRun } from './table.ts'

/** What a model registry says of a model. */
export interface TableModel {
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly creatorOrganization: string
  readonly access: string
  /** `YYYY-MM-DD`. */
  readonly releaseDate?: string
  readonly numParameters?: number
}

/** Known models and deployments, in registry order. */
export interface TableRegistry {
  readonly models: readonly TableModel[]
  readonly deployments: readonly { readonly name: string; readonly modelName: string }[]
}

/** A registry that names can be looked up in; of two entries with one name the later wins. */
export interface ModelIndex {
  readonly models: readonly TableModel[]
  readonly byName: ReadonlyMap<string, TableModel>
  readonly modelOfDeployment: ReadonlyMap<string, string>
  /** Place of a name in the list of models, the first one that has it. */
  readonly place: ReadonlyMap<string, number>
}

/**
 * What HELM registers for the model of a deployment that no metadata names (HELM.md T26).
 * @param today `YYYY-MM-DD`, the placeholder's release date
 */
const placeholder = (name: string, today: string): TableModel => ({
  name,
  displayName: name,
  description: name,
  creatorOrganization: 'Unknown',
  access: 'open',
  releaseDate: today,
})

export const indexModels = (registry: TableRegistry, today: string): ModelIndex => {
  const known = new Set(registry.models.map((model) => model.name))
  const missing = new Set(
    registry.deployments.map(({ modelName }) => modelName).filter((name) => !known.has(name)),
  )
  const models = [...registry.models, ...[...missing].map((name) => placeholder(name, today))]
  const place = new Map<string, number>()
  models.forEach(({ name }, index) => {
    if (!place.has(name)) place.set(name, index)
  })
  return {
    models,
    byName: new Map(models.map((model) => [model.name, model])),
    modelOfDeployment: new Map(registry.deployments.map(({ name, modelName }) => [name, modelName])),
    place,
  }
}

/** The registered model of an adapter spec, if any: by its model, its deployment, or its model read as a deployment. */
export const findModel = (
  adapter: Pick<TableRun['adapter'], 'model' | 'modelDeployment'>,
  index: ModelIndex,
): TableModel | undefined => {
  const named = index.byName.get(adapter.model)
  if (named !== undefined) return named
  const { modelOfDeployment } = index
  const name = modelOfDeployment.get(adapter.modelDeployment) ?? modelOfDeployment.get(adapter.model)
  return name === undefined ? undefined : index.byName.get(name)
}

/** The registered models that the runs used, in registry order; later entries of one name stand for all. */
export const usedModels = (runs: readonly TableRun[], index: ModelIndex): readonly TableModel[] => {
  const used = new Set(runs.map((run) => findModel(run.adapter, index)?.name))
  return index.models.filter((model) => used.has(model.name) && index.byName.get(model.name) === model)
}
