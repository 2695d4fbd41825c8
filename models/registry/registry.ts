import { suggestion } from '../../cache/problems/did-you-mean.ts'
import type { Price, Prices } from '../prices/price.ts'
import type { ModelDeployment, ModelMetadata } from '../deployment/model.ts'

/** Every model and deployment that the built-in catalog, the workspace and the local path declare. */
export interface ModelRegistry {
  /** In registration order; a name declared twice keeps its last declaration at its first place. */
  readonly models: readonly ModelMetadata[]
  readonly deployments: readonly ModelDeployment[]
  /** The last declared price of each deployment. */
  readonly prices: Prices
  model(name: string): ModelMetadata | undefined
  deployment(name: string): ModelDeployment | undefined
  /** HELM's rule: the last one registered that is not deprecated, else the last one. */
  defaultDeployment(model: string): ModelDeployment | undefined
  /** `Did you mean x? ` or an empty text. */
  suggest(name: string): string
}

export const createRegistry = (
  models: readonly ModelMetadata[],
  deployments: readonly ModelDeployment[],
  prices: readonly Price[] = [],
): ModelRegistry => {
  const byName = new Map(deployments.map((deployment) => [deployment.name, deployment]))
  const known = new Map(models.map((model) => [model.name, model]))
  const defaults = new Map<string, ModelDeployment>()
  for (const { name, modelName } of deployments) {
    const deployment = byName.get(name)
    if (deployment === undefined) continue
    if (!deployment.deprecated || defaults.get(modelName)?.deprecated !== false)
      defaults.set(modelName, deployment)
    if (!known.has(modelName)) known.set(modelName, placeholder(modelName))
  }
  return {
    models: [...known.values()],
    deployments: [...byName.values()],
    prices: new Map(prices.map((price) => [price.deployment, price])),
    model: (name) => known.get(name),
    deployment: (name) => byName.get(name),
    defaultDeployment: (model) => defaults.get(model),
    suggest: (name) => suggestion(name, new Set([...byName.keys(), ...defaults.keys()])),
  }
}

/** What HELM shows for a model that no metadata file describes; no date is invented for it. */
const placeholder = (name: string): ModelMetadata => ({
  name,
  displayName: name,
  description: name,
  creatorOrganization: 'Unknown',
  access: 'open',
  tags: ['TEXT_MODEL_TAG', 'FULL_FUNCTIONALITY_TEXT_MODEL_TAG'],
})

/** Who made a model, and whether any declaration says so. */
interface Family {
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

/** How a model that nothing declares is mended. */
export const declareRemedy = (name: string, registry: Pick<ModelRegistry, 'suggest'>): string =>
  `${registry.suggest(name)}Declare it in models/*.yaml or prod_env/model_deployments.yaml; \`medmake models\` lists what is known.`
