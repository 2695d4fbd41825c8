import type { Float } from '../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { ADAPTER_DEFAULTS, camelCase } from '../../benchmarks/scenario/adapter-spec.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { equalityKey, type TableRun } from './table.ts'

type Adapter = TableRun['adapter']

/** AdapterSpec's fields in HELM's order (benchmarks/HELM.md B4), by their names in HELM. */
export const ADAPTER_KEYS = [
  'method',
  'global_prefix',
  'global_suffix',
  'instructions',
  'input_prefix',
  'input_suffix',
  'reference_prefix',
  'reference_prefix_characters',
  'reference_suffix',
  'chain_of_thought_prefix',
  'chain_of_thought_suffix',
  'output_prefix',
  'output_suffix',
  'instance_prefix',
  'substitutions',
  'max_train_instances',
  'max_eval_instances',
  'num_outputs',
  'num_train_trials',
  'num_trials',
  'sample_train',
  'model_deployment',
  'model',
  'temperature',
  'max_tokens',
  'stop_sequences',
  'random',
  'multi_label',
  'image_generation_parameters',
  'reeval_parameters',
  'eval_splits',
  'output_mapping_pattern',
] as const

/** Each once: tables ask for each field of each row. */
const OWN_NAMES: ReadonlyMap<string, string> = new Map(ADAPTER_KEYS.map((key) => [key, camelCase(key)]))

type Substitution = Adapter['substitutions'][number]
type Value = PyValue | Float | readonly Substitution[] | undefined

const pyValue = (value: Value): PyValue => {
  if (!Array.isArray(value)) return (value ?? null) as PyValue
  return (value as readonly (PyValue | Substitution)[]).map((item) =>
    typeof item === 'object' && item !== null && 'source' in item
      ? new Map([
          ['source', item.source],
          ['target', item.target],
        ])
      : item,
  )
}

/** One field of an adapter spec by its name in HELM; None where it has none. */
export const adapterValue = (adapter: Partial<Adapter>, key: string): PyValue =>
  pyValue((adapter as Record<string, Value>)[OWN_NAMES.get(key) ?? key])

/** An adapter spec of which only `keys` are told apart: HELM's coarse adapter spec, other fields at their defaults. */
export const coarse = (adapter: Adapter, keys: readonly string[]): Adapter => {
  const unknown = keys.find((key) => !(ADAPTER_KEYS as readonly string[]).includes(key))
  if (unknown !== undefined)
    throw new ProblemError({
      code: 'targets/unknown-adapter-key',
      message: `adapter_keys_shown names ${unknown}, which is no field of an adapter spec.`,
      where: { field: 'adapter_keys_shown' },
      remedy: `Write one of ${ADAPTER_KEYS.join(', ')}.`,
    })
  const shown = keys.flatMap((key) => OWN_NAMES.get(key) ?? []).filter((key) => key in adapter)
  const kept = Object.fromEntries(shown.map((key) => [key, (adapter as Record<string, unknown>)[key]]))
  return { ...ADAPTER_DEFAULTS, method: '', ...kept }
}

/** Equal for adapter specs that HELM holds equal. */
export const adapterKey = (adapter: Adapter): string =>
  ADAPTER_KEYS.map((key) => equalityKey(adapterValue(adapter, key))).join()
