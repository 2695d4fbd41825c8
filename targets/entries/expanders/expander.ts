import type { PyValue } from '../../../benchmarks/python/value.ts'
import { str } from '../../../benchmarks/python/numbers/number.ts'
import { ProblemError, type Place } from '../../../cache/problems/problem.ts'
import type { ModelRegistry } from '../../../models/registry/registry.ts'
import type { RunSpec } from '../../record/target.ts'

interface ExpanderContext {
  readonly registry: ModelRegistry
  readonly where: Place
}

/** Turns one run spec into one or several (HELM.md T5). */
export type Expander = (spec: RunSpec, value: PyValue, context: ExpanderContext) => readonly RunSpec[]

/** HELM's rule S: `,` if the name already has a colon, else `:`; slashes of the value become underscores. */
export const withSuffix = (name: string, key: string, value: PyValue): string =>
  `${name}${name.includes(':') ? ',' : ':'}${key}=${str(value).replaceAll('/', '_')}`

/** HELM's rule C: always a comma. */
export const withCommaSuffix = (name: string, key: string, value: PyValue): string =>
  `${name},${key}=${str(value)}`

export const withAdapter = (
  spec: RunSpec,
  adapter: Partial<RunSpec['adapter']>,
  name = spec.name,
): RunSpec => ({
  ...spec,
  name,
  adapter: { ...spec.adapter, ...adapter },
})

/** A table's own entry: no value is to be found on the prototype of objects. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** @throws ProblemError `targets/expander-value` */
export const badValue = (key: string, value: PyValue, wanted: string, where: Place): never => {
  throw new ProblemError({
    code: 'targets/expander-value',
    message: `${key}=${str(value)} is not ${wanted}`,
    where,
    remedy: `Write ${key}=${wanted}.`,
  })
}

export const countOf = (key: string, value: PyValue, where: Place): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0
    ? value
    : badValue(key, value, 'a whole number from 0 on', where)

/** Names of HELM's groups of models (HELM.md T5). An entry names one where --models-to-run is to say which models it means. */
const MODEL_GROUPS: ReadonlySet<string> = new Set([
  'all',
  'text',
  'code',
  'text_code',
  'instruction_following',
  'full_functionality_text',
  'limited_functionality_text',
])

export const isModelGroup = (name: string): boolean => MODEL_GROUPS.has(name)

/** `model=creator/name` or `model=host/creator/name`, also a deployment. */
export const expandModel: Expander = (spec, value, { where }) => {
  const name = str(value)
  const parts = name.split('/')
  if (parts.length < 2) return badValue('model', value, 'creator/name', where)
  const model = parts.slice(-2).join('/')
  const deployment = parts.length > 2 ? { modelDeployment: name } : {}
  return [withAdapter(spec, { model, ...deployment }, withSuffix(spec.name, 'model', model))]
}

export const expandModelDeployment: Expander = (spec, value) => [
  withAdapter(spec, { modelDeployment: str(value) }, withSuffix(spec.name, 'model_deployment', value)),
]
