import { expect, test } from 'vitest'
import type { Expected, ParityCase } from './case.ts'
import { compareCase, isEqual } from './compare.ts'
import { parityTable } from './table.ts'
import { findBenchmark } from '../../benchmarks/lookup/find.ts'
import { downSample } from '../../benchmarks/sampling/choose-instances.ts'
import { digestOf } from '../../cache/values/digest.ts'
import { promptText } from '../../targets/adapters/prompt.ts'
import { benchmarkContext, instancesOf } from '../rig/benchmark-context.ts'

// A built-in benchmark whose data comes with it.
const NAME = 'demo_multiple_choice'

const load = async () => {
  const benchmark = await findBenchmark(NAME, new Map(), benchmarkContext())
  const instances = await instancesOf(benchmark)
  const expected = instances.map((instance): Expected => ({
    id: instance.id,
    split: instance.split,
    prompt: digestOf(promptText({ adapter: benchmark.adapter, train: [], instance })),
  }))
  return { instances, expected }
}

const compare = (expected: readonly Expected[], more: Partial<ParityCase> = {}) =>
  compareCase(
    {
      benchmark: NAME,
      args: new Map(),
      label: NAME,
      source: 'here',
      context: {},
      expected: () => expected,
      ...more,
    },
    benchmarkContext(),
  )

test('What is equal is counted, and a sample is held to the sampled instances.', async () => {
  const { instances, expected } = await load()
  const ids = downSample(instances, 5).map(({ id }) => id)
  const row = await compare(expected, { samples: () => new Map([[5, ids]]) })
  expect(row).toMatchObject({ instances: expected.length, ids: expected.length, prompts: expected.length })
  expect(row.samples).toEqual({ equal: 1, compared: 1 })
  expect(isEqual(row)).toBe(true)
  const sampled = ids.map((id) => expected.find((each) => each.id === id) ?? { id: '', split: '' })
  expect(isEqual(await compare(sampled, { sample: 5 }))).toBe(true)
})

test('Another prompt, id, split, order or number of instances is a difference that names the first instance.', async () => {
  const { expected } = await load()
  const [first, second, ...rest] = expected
  if (first === undefined || second === undefined) throw new Error('the demo has too few instances')
  const { id } = first
  const cases: readonly (readonly [readonly Expected[], string])[] = [
    [[{ ...first, prompt: '' }, second, ...rest], `the prompt of ${id} differs`],
    [[{ ...first, split: 'valid' }, second, ...rest], `instance 1 is "${id}", HELM's "${id}"`],
    [[second, first, ...rest], `instance 1 is "${id}", HELM's "${second.id}"`],
    [
      [...expected, { id: 'more', split: 'test' }],
      `instance ${expected.length + 1} is missing, HELM's "more"`,
    ],
    [expected.slice(0, -1), `instance ${expected.length} is "${expected.at(-1)?.id}", HELM's missing`],
  ]
  for (const [theirs, difference] of cases) expect(await compare(theirs)).toMatchObject({ difference })
})

test('A sample of other instances is a difference.', async () => {
  const { expected } = await load()
  const row = await compare(expected, { samples: () => new Map([[2, ['x', 'y']]]) })
  expect(row.difference).toBe('1 samples pick other instances')
})

test('The table says of each row whether it is equal, and how it is not.', () => {
  const row = {
    label: 'b',
    source: 'here',
    instances: 2,
    ids: 2,
    prompts: 2,
    samples: { equal: 0, compared: 0 },
  }
  expect(parityTable([row, { ...row, prompts: 1, difference: 'the prompt of id1 differs' }])).toBe(
    [
      '   benchmark  instances  ids equal  prompts equal  samples equal  compared with',
      '=  b                  2          2              2                 here',
      '≠  b                  2          2              1                 here',
      '   the prompt of id1 differs',
      '',
    ].join('\n'),
  )
})
