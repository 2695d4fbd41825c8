import type { PyValue } from '../../../benchmarks/python/value.ts'
import { str } from '../../../benchmarks/python/numbers/number.ts'
import { ProblemError, type Place } from '../../../cache/problems/problem.ts'
import type { ModelRegistry } from '../../../models/registry/registry.ts'
import type { RunSpec } from '../../record/run-spec.ts'

export interface ExpanderContext {
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

export const intOf = (key: string, value: PyValue, where: Place): number =>
  typeof value === 'number' && Number.isInteger(value) ? value : badValue(key, value, 'a whole number', where)
