import { str } from '../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import { didYouMean } from '../../cache/problems/did-you-mean.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import { declareRemedy, type ModelRegistry } from '../../models/registry/registry.ts'
import type { RunSpec } from '../record/target.ts'
import { parseDescription, type Description, type RunEntry } from './run-entry.ts'
import { EXPANDERS, withTags } from './expanders/catalog.ts'
import { withAdapter, isModelGroup } from './expanders/expander.ts'

/** The flags of helm-run that shape run specs (HELM.md T1). */
export interface ResolveOptions {
  readonly modelsToRun?: readonly string[]
  readonly groupsToRun?: readonly string[]
  /** Entries with a greater priority number are dropped; entries without one never are. */
  readonly priority?: number
  /** Used only where the benchmark itself sets none. */
  readonly maxEvalInstances?: number
  /** Overrides the adapter's, except that a benchmark without training instances has one trial. */
  readonly numTrainTrials?: number
  /** Is told of each entry whose benchmark nobody knows, and the others are resolved; else such an entry ends it all. */
  readonly onUnknown?: (error: ProblemError, entry: RunEntry) => void
}

interface ResolveContext {
  readonly registry: ModelRegistry
  readonly findBenchmark: (
    name: string,
    args: ReadonlyMap<string, PyValue>,
    where: Place,
  ) => Promise<Benchmark>
  readonly options: ResolveOptions
}

/**
 * Run entries → run specs, with HELM's names and in HELM's order (HELM.md T4).
 * All problems of all entries come in one error.
 *
 * @throws ProblemError
 */
export const resolveEntries = async (
  entries: readonly RunEntry[],
  context: ResolveContext,
): Promise<readonly RunSpec[]> => {
  const problems: ProblemError[] = []
  const specs: RunSpec[] = []
  for (const entry of entries) {
    if (isDropped(entry, context.options)) continue
    try {
      specs.push(...(await resolveEntry(entry, context)))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      const { onUnknown } = context.options
      if (onUnknown !== undefined && isUnknown(error)) onUnknown(error, entry)
      else problems.push(error)
    }
  }
  if (problems.length > 0) throw new ProblemError(distinct(problems.flatMap((error) => error.problems)))
  return specs
}

/** The other entries of a file can be run all the same: a workspace's own code spoils what it is of alone. */
const LEFT_OUT =
  /^(?:benchmarks\/(?:unknown|not-runnable|(?:scenario-)?code.*)|(?:metrics|annotators)\/code.*|code\/.*|\w+\/no-package)$/

const isUnknown = ({ problems }: ProblemError): boolean => problems.every(({ code }) => LEFT_OUT.test(code))

const isDropped = (entry: RunEntry, { priority }: ResolveOptions): boolean =>
  priority !== undefined && entry.priority !== undefined && entry.priority > priority

const distinct = <T>(values: readonly T[]): readonly T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
]

const resolveEntry = async (entry: RunEntry, context: ResolveContext): Promise<readonly RunSpec[]> => {
  const { options } = context
  const specs: RunSpec[] = []
  for (const description of overModels(parseDescription(entry.description, entry.where), entry, context))
    specs.push(...(await expand(description, entry, context)))
  return specs
    .filter((spec) => isWanted(spec, options))
    .map((spec) => withGroups(withFlags(spec, options), entry.groups))
}

/** A description whose model names no creator is run for every model, or deployment, of --models-to-run. */
const overModels = (
  description: Description,
  entry: RunEntry,
  { registry, options: { modelsToRun } }: ResolveContext,
): readonly Description[] => {
  const model = description.args.get('model')
  const name = model === undefined ? '' : str(model)
  if (modelsToRun !== undefined && !name.includes('/'))
    return modelsToRun.map((each) => ({
      ...description,
      args: new Map([...description.args, ...askedModel(each, registry)]),
    }))
  if (model !== undefined && !isModelGroup(name)) return [description]
  const meant = [...description.args.keys()].find((key) => key !== 'model' && didYouMean(key, ['model']))
  throw new ProblemError({
    code: 'targets/no-model',
    message:
      model === undefined
        ? `${entry.description} names no model`
        : `${entry.description} stands for a group of models`,
    where: entry.where,
    remedy: `${meant === undefined ? 'Add' : `Did you mean "model" by "${meant}"? Write`} model=creator/name in the entry, or give --models-to-run.`,
  })
}

/** @throws ProblemError without a place, so that all entries share one */
const askedModel = (name: string, registry: ModelRegistry): readonly (readonly [string, string])[] => {
  if (registry.defaultDeployment(name) !== undefined) return [['model', name]]
  const deployment = registry.deployment(name)
  if (deployment === undefined) throw unknownModel(name, registry)
  // Where the model's name is a part of its own HELM tells no deployment in the run's.
  if (name.split('/').length > 2 && name.split('/').slice(-2).join('/') === deployment.modelName)
    return [['model', name]]
  return [
    ['model', deployment.modelName],
    ['model_deployment', name],
  ]
}

const expand = async (
  { name, args }: Description,
  { where }: RunEntry,
  { registry, findBenchmark }: ResolveContext,
): Promise<readonly RunSpec[]> => {
  const expanders = [...args].filter(([key]) => EXPANDERS.has(key))
  const benchmark = await findBenchmark(
    name,
    new Map([...args].filter(([key]) => !EXPANDERS.has(key))),
    where,
  )
  let specs: readonly RunSpec[] = [specOf(benchmark)]
  for (const [key, value] of expanders) {
    const apply = EXPANDERS.get(key)
    if (apply) specs = specs.flatMap((spec) => apply(spec, value, { registry, where }))
  }
  return specs.map((spec) => {
    const deployed = withDeployment(spec, registry, where)
    return { ...deployed, name: deployed.name.replaceAll('/', '_') }
  })
}

const specOf = (benchmark: Benchmark): RunSpec => ({
  name: benchmark.runName,
  benchmark,
  adapter: benchmark.adapter,
  metrics: benchmark.metrics,
  groups: benchmark.groups,
  ...(benchmark.annotators === undefined ? {} : { annotators: benchmark.annotators }),
})

/** Model from deployment or deployment from model, then the rewrites that a model's tags ask for. */
const withDeployment = (spec: RunSpec, registry: ModelRegistry, where: Place): RunSpec => {
  const { model, modelDeployment } = spec.adapter
  const deployment = modelDeployment
    ? registry.deployment(modelDeployment)
    : registry.defaultDeployment(model)
  if (deployment === undefined) throw unknownModel(modelDeployment || model, registry, where)
  if (model && deployment.modelName !== model)
    throw new ProblemError({
      code: 'targets/model-mismatch',
      message: `deployment ${deployment.name} serves ${deployment.modelName}, not ${model}`,
      where,
      remedy: `Write model=${deployment.modelName}, or another model_deployment.`,
    })
  const tags = registry.model(deployment.modelName)?.tags ?? []
  return withTags(withAdapter(spec, { model: deployment.modelName, modelDeployment: deployment.name }), tags)
}

const unknownModel = (name: string, registry: ModelRegistry, where?: Place): ProblemError => {
  const served = registry.deployment(name)?.modelName
  return new ProblemError({
    code: 'models/unknown',
    message:
      served === undefined
        ? `no deployment serves ${name}`
        : `${name} is a deployment, and no model: it serves ${served}`,
    ...(where === undefined ? {} : { where }),
    remedy:
      served === undefined
        ? declareRemedy(name, registry)
        : `Write model=${served},model_deployment=${name}; without the second its first deployment answers.`,
  })
}

const isWanted = (spec: RunSpec, { modelsToRun, groupsToRun }: ResolveOptions): boolean =>
  (modelsToRun === undefined ||
    modelsToRun.includes(spec.adapter.model) ||
    modelsToRun.includes(spec.adapter.modelDeployment)) &&
  (groupsToRun === undefined || spec.groups.some((group) => groupsToRun.includes(group)))

const withFlags = (spec: RunSpec, { maxEvalInstances, numTrainTrials }: ResolveOptions): RunSpec => {
  const { adapter } = spec
  const trials = adapter.maxTrainInstances === 0 ? 1 : numTrainTrials
  return withAdapter(spec, {
    ...(maxEvalInstances !== undefined && adapter.maxEvalInstances === undefined ? { maxEvalInstances } : {}),
    ...(trials === undefined ? {} : { numTrainTrials: trials }),
  })
}

const withGroups = (spec: RunSpec, groups: readonly string[] = []): RunSpec =>
  groups.length === 0
    ? spec
    : {
        ...spec,
        name: `${spec.name},groups=${[...groups].sort().join('-').replaceAll('/', '_')}`,
        groups: [...spec.groups, ...groups],
      }
