import { expect, test } from 'vitest'
import { factText, statedFacts } from '../../../benchmarks/declaration/about.ts'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { listBenchmarks } from '../../../benchmarks/lookup/list.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { shared } from '../../rig/shared.ts'

const mirror = shared('mirror')

const PUBLISHED = [
  'aci_bench',
  'medbullets',
  'medec',
  'medication_qa',
  'mtsamples_procedures',
  'mtsamples_replicate',
  'pubmed_qa',
  'race_based_med',
]

test.skipIf(mirror === undefined)(
  'Sizes that are called counted are those of the published files.',
  async () => {
    const context = { ...benchmarkContext(), ...(mirror && { mirror }) }
    const all = await listBenchmarks(context)
    const counted = all.filter(
      ({ name, checked }) => PUBLISHED.includes(name) && checked?.size?.startsWith('counted') === true,
    )
    expect(counted.map(({ name }) => name)).toEqual(PUBLISHED)
    for (const { name, size } of counted) {
      const benchmark = await findBenchmark(name, new Map(), context)
      let evaluated = 0
      for await (const { split } of benchmark.instances()) if (split !== 'train') evaluated += 1
      expect([name, evaluated]).toEqual([name, size?.instances])
    }
  },
)

test('Each built-in benchmark tells size, licence and contact with the source, or that nobody checked them.', async () => {
  for (const benchmark of await listBenchmarks(benchmarkContext())) {
    const { size, licence, contact, checked = {} } = benchmark
    const facts = statedFacts(benchmark)
    expect(facts.map(({ fact }) => fact)).toEqual(['size', 'licence', 'contact'])
    // No source of what is not stated.
    for (const fact of Object.keys(checked))
      expect({ size, licence, contact }).toHaveProperty(fact, expect.anything())
    expect(licence).not.toBe('unchecked')
  }
  const size = { instances: 2000, or_more: true, of: 'both subsets' }
  expect(statedFacts({ size, licence: 'MIT', checked: { licence: 'LICENSE' } }).map(factText)).toEqual([
    '2,000 instances or more of both subsets (unchecked)',
    'MIT (checked: LICENSE)',
    'not known (unchecked)',
  ])
})
