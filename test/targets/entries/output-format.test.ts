import { expect, test } from 'vitest'
import { ADAPTER_DEFAULTS, type AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import { createRegistry } from '../../../models/registry/registry.ts'
import { resolveEntries } from '../../../targets/entries/resolve.ts'
import { runEntryOf } from '../../../targets/entries/run-entry.ts'
import { deploymentOf } from '../../rig/model-calls.ts'
import { problemOf } from '../../rig/problem-of.ts'

const benchmark = (adapter: Partial<AdapterSpec>): Benchmark => ({
  name: 'b',
  runName: 'b',
  displayName: 'b',
  description: '',
  access: 'public',
  scenario: {
    spec: { className: 'x', args: new Map() },
    name: 'b',
    description: '',
    tags: [],
    definitionPath: '',
  },
  adapter: { method: 'generation', ...ADAPTER_DEFAULTS, globalSuffix: 'S', ...adapter },
  metrics: [],
  groups: [],
  mainMetric: { name: 'exact_match', split: 'test' },
  files: [],
  identity: () => Promise.resolve({}),
  instances: async function* () {},
})

const expanded = async (
  key: string,
  value: string,
  method: AdapterSpec['method'],
  [instructions = '', outputPrefix = '']: readonly string[],
) => {
  const specs = await resolveEntries([runEntryOf(`b:${key}=${value},model=a/one`)], {
    registry: createRegistry([], [deploymentOf('medmake.simple', {}, { name: 'a/one', modelName: 'a/one' })]),
    findBenchmark: () => Promise.resolve(benchmark({ method, instructions, outputPrefix })),
    options: {},
  })
  return specs.map(({ adapter }) => adapter)
}

// As OutputFormatInstructions of crfm-helm 0.5.16 gives them.
test.each([
  ['mmlu', 'multiple_choice_joint', 'Do it.', 'Answer: ', 'Answer with only a single letter.\n\nDo it.'],
  ['legalbench', 'generation', 'Read.', 'Label: ', 'Answer with the label.\n\nRead.'],
  ['legalbench', 'generation', '', 'Answer: ', 'Answer yes or no.\n'],
  ['math', 'generation', '', 'Answer: ', 'Wrap the final answer with the \\boxed{} command.\n'],
  ['legalbench_yes_or_no', 'generation', 'x', 'A:', "Answer with only 'Yes' or 'No'.\n\nx"],
  [
    'mcqa_no_period_no_prefix',
    'multiple_choice_joint',
    '',
    'Answer: ',
    "Answer with only a single letter. Do not include a period in your answer. Do not include 'Answer:' in your answer.\n",
  ],
] as const)(
  'output_format_instructions=%s of %s comes before its instructions',
  async (value, method, own, prefix, text) => {
    const [adapter] = await expanded('output_format_instructions', value, method, [own, prefix])
    expect(adapter).toMatchObject({ instructions: text, globalSuffix: 'S' })
  },
)

test.each([
  ['mmlu_suffix', 'multiple_choice_joint', 'Answer with only a single letter.'],
  ['legalbench_suffix', 'generation', 'Answer with the label.'],
  [
    'wmt_14_no_prefix_suffix',
    'generation',
    "Answer with the English translation. Do not include 'Label:' in your answer.",
  ],
] as const)('output_format_instructions=%s of %s comes at the end', async (value, method, text) => {
  const [adapter] = await expanded('output_format_instructions', value, method, ['Read.', 'Label: '])
  expect(adapter).toMatchObject({ instructions: 'Read.', globalSuffix: `S\n\n${text}` })
})

test('a format that HELM has none of is refused', async () => {
  const nosuch = expanded('output_format_instructions', 'nosuch', 'generation', [])
  expect(await problemOf(nosuch)).toMatchObject({ code: 'targets/expander-value' })
})

test.each([
  ['max_train_instances', 'all', 'maxTrainInstances', [0, 1, 2, 4, 8, 16]],
  ['max_train_instances', 'melt', 'maxTrainInstances', [0, 1, 5]],
  ['max_eval_instances', 'heim_art_styles', 'maxEvalInstances', [17]],
  ['num_outputs', 'copyright_sweep', 'numOutputs', [1, 10]],
] as const)('%s=%s is HELM’s sweep', async (key, value, field, numbers) => {
  expect((await expanded(key, value, 'generation', [])).map((adapter) => adapter[field])).toEqual(numbers)
})
