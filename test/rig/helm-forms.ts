import type { PyValue } from '../../benchmarks/python/value.ts'
import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import type { Benchmark, ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'

type Dict = ReadonlyMap<string, PyValue>

/** A field of a parsed HELM file. */
export const get = (value: PyValue | undefined, ...path: readonly string[]): PyValue | undefined =>
  path.reduce<PyValue | undefined>(
    (inner, key) => (inner instanceof Map ? (inner as Dict).get(key) : undefined),
    value,
  )

const objectSpecForm = ({ className, args }: ObjectSpec): PyValue =>
  new Map<string, PyValue>([
    ['class_name', className],
    ['args', args],
  ])

/** An adapter spec as run_spec.json shows it, without the fields that a run adds. */
const adapterForm = (adapter: AdapterSpec): Dict =>
  new Map(
    Object.entries(adapter)
      .filter(([key, value]) => value !== undefined && !RUN_FIELDS.has(snakeCase(key)))
      .map(([key, value]) => [snakeCase(key), value as PyValue]),
  )

const withoutRunFields = (adapter: PyValue | undefined): Dict =>
  new Map([...((adapter ?? new Map()) as Dict)].filter(([key]) => !RUN_FIELDS.has(key)))

/** What a benchmark says of a run before a model is chosen. */
export const declaredForm = (benchmark: Benchmark): object => ({
  scenario: objectSpecForm(benchmark.scenario.spec),
  adapter: adapterForm(benchmark.adapter),
  metrics: benchmark.metrics.map(({ helm }) => objectSpecForm(helm)),
  groups: benchmark.groups,
  annotators: benchmark.annotators?.map(objectSpecForm),
})

/** The same of a run_spec.json. */
export const writtenForm = (spec: PyValue): object => ({
  scenario: get(spec, 'scenario_spec'),
  adapter: withoutRunFields(get(spec, 'adapter_spec')),
  metrics: get(spec, 'metric_specs'),
  groups: get(spec, 'groups'),
  annotators: get(spec, 'annotators'),
})

/** A scenario as scenario.json shows it. */
export const scenarioForm = ({ scenario }: Benchmark): PyValue =>
  new Map<string, PyValue>([
    ['name', scenario.name],
    ['description', scenario.description],
    ['tags', scenario.tags],
    ['definition_path', scenario.definitionPath],
  ])

/** An instance as instances.json shows it. */
export const instanceForm = (instance: Instance): PyValue =>
  new Map<string, PyValue>([
    ['input', new Map([['text', instance.input.text]])],
    [
      'references',
      instance.references.map(
        ({ text, tags }) =>
          new Map<string, PyValue>([
            ['output', new Map([['text', text]])],
            ['tags', tags],
          ]),
      ),
    ],
    ['split', instance.split],
    ['id', instance.id],
    ...(instance.extraData === undefined ? [] : [['extra_data', instance.extraData] as const]),
  ])

/** A prompt without in-context examples (targets/HELM.md T6). */
export const promptOf = (adapter: AdapterSpec, { input, references }: Instance): string => {
  const options =
    adapter.method === 'multiple_choice_joint'
      ? references.map(({ text }, index) => `${String.fromCharCode(65 + index)}. ${text}\n`).join('')
      : ''
  const body = `${adapter.inputPrefix}${input.text}${adapter.inputSuffix}${options}${adapter.outputPrefix.trimEnd()}`
  return adapter.instructions === '' ? body : `${adapter.instructions}${adapter.instancePrefix}${body}`
}

const RUN_FIELDS: ReadonlySet<string> = new Set(['model', 'model_deployment', 'max_eval_instances'])
const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
