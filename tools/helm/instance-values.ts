import type { PyValue } from '../../benchmarks/python/value.ts'
import type { InstanceValues } from '../../targets/record/instance-values.ts'

/** What tables and pages read of an element of per_instance_stats.json; every HelmPerInstanceStats is one. */
export interface HelmInstanceValues extends InstanceValues {
  readonly perturbation?: ReadonlyMap<string, PyValue>
  readonly stats: readonly (InstanceValues['stats'][number] & { readonly mean?: number })[]
}

/**
 * Reads an unperturbed element by JSON.parse, which does not tell Python's floats from its ints.
 * Undefined for anything else: another reader says what it is.
 */
export const plainInstanceValues = (text: string): HelmInstanceValues | undefined => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // NaN and Infinity, which Python writes, or damage.
    return undefined
  }
  if (!isObject(value)) return undefined
  const { instance_id: instanceId, train_trial_index: trainTrialIndex, stats, perturbation } = value
  if (typeof instanceId !== 'string' && !Number.isSafeInteger(instanceId)) return undefined
  if (!Number.isSafeInteger(trainTrialIndex) || perturbation !== undefined) return undefined
  if (!Array.isArray(stats) || !stats.every(isPlainStat)) return undefined
  return { instanceId, trainTrialIndex, stats } as HelmInstanceValues
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isPlainStat = (stat: unknown): boolean =>
  isObject(stat) &&
  isObject(stat['name']) &&
  typeof stat['name']['name'] === 'string' &&
  ['string', 'undefined'].includes(typeof stat['name']['split']) &&
  stat['name']['perturbation'] === undefined &&
  Number.isSafeInteger(stat['count']) &&
  typeof stat['sum'] === 'number' &&
  ['number', 'undefined'].includes(typeof stat['mean'])
