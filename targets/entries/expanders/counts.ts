import { numberOf, Float } from '../../../benchmarks/python/numbers/float.ts'
import type { AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import { badValue, entryOf, intOf, withAdapter, withSuffix, type Expander } from './expander.ts'

/** An expander that sets one whole-number field; named values stand for one or several numbers. */
const count =
  (
    key: string,
    field: keyof AdapterSpec,
    named: Readonly<Record<string, readonly number[]>> = {},
  ): Expander =>
  (spec, value, { where }) => {
    const values = (typeof value === 'string' ? entryOf(named, value) : undefined) ?? [
      intOf(key, value, where),
    ]
    return values.map((number) => withAdapter(spec, { [field]: number }, withSuffix(spec.name, key, number)))
  }

const plainNumber =
  (key: string, apply: (adapter: AdapterSpec, value: number | Float) => Partial<AdapterSpec>): Expander =>
  (spec, value, { where }) =>
    typeof value === 'number' || value instanceof Float
      ? [withAdapter(spec, apply(spec.adapter, value))]
      : badValue(key, value, 'a number', where)

/** Expanders over numbers of the adapter spec (HELM.md T5), by key. */
export const COUNT_EXPANDERS: Readonly<Record<string, Expander>> = {
  max_train_instances: count('max_train_instances', 'maxTrainInstances', {
    zero: [0],
    one: [1],
    all: [0, 1, 2, 4, 8, 16],
    big_bench_few_shot_setting: [0, 1, 2, 3],
    vhelm: [0, 1, 2, 4, 8],
    melt: [0, 1, 5],
  }),
  max_eval_instances: count('max_eval_instances', 'maxEvalInstances', {
    default: [1000],
    heim_default: [100],
    heim_fid: [30_000],
    heim_art_styles: [17],
  }),
  num_outputs: count('num_outputs', 'numOutputs', { default: [1], copyright_sweep: [1, 10] }),
  num_train_trials: count('num_train_trials', 'numTrainTrials'),
  num_trials: count('num_trials', 'numTrials', { heim_efficiency: [5] }),
  num_output_tokens: count('num_output_tokens', 'maxTokens', { default_sweep: [1, 2, 4, 8, 16, 32, 64] }),
  temperature: plainNumber('temperature', (_, value) => ({ temperature: value })),
  increase_temperature: plainNumber('increase_temperature', ({ temperature }, value) => ({
    temperature: addNumbers(temperature, value),
  })),
  increase_max_tokens: plainNumber('increase_max_tokens', ({ maxTokens }, value) => ({
    maxTokens: maxTokens + numberOf(value),
  })),
}

/** Python's sum: a float as soon as one side is. */
const addNumbers = (a: number | Float, b: number | Float): number | Float => {
  const sum = numberOf(a) + numberOf(b)
  return a instanceof Float || b instanceof Float || !Number.isInteger(sum) ? new Float(sum) : sum
}
