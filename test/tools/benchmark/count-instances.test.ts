import { expect, test } from 'vitest'
import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { countInstances } from '../../../tools/benchmark/count-instances.ts'

const instance = (id: string, text: string, more: Partial<Instance> = {}): Instance => ({
  id,
  input: { text },
  references: [{ text: 'a', tags: ['correct'] }],
  split: 'test',
  ...more,
})

/** Gives the first series, then the second, as code that looks at a clock does. */
const benchmarkOf = (files: readonly string[], ...series: readonly (readonly Instance[])[]): Benchmark => {
  let read = 0
  const instances: Benchmark['instances'] = async function* (onSkipped) {
    onSkipped?.({ file: 'data.csv', row: 3, reason: 'missing-answer' })
    yield* series[Math.min(read++, series.length - 1)] ?? []
  }
  return { isOwn: true, files, instances } as unknown as Benchmark
}

test('Of a benchmark’s data what is asked, what is shown, what has no right answer and what is asked again is counted', async () => {
  const wrong = { references: [{ text: 'b', tags: [] }] }
  const counted = await countInstances(
    benchmarkOf(
      ['benchmark.yaml'],
      [
        instance('1', 'one'),
        instance('2', 'two', { ...wrong, split: 'valid' }),
        instance('3', 'one', { references: [...wrong.references, { text: 'a', tags: ['correct'] }] }),
        instance('4', 'one'),
        // What examples ask is no question that is asked twice.
        instance('5', 'one', { ...wrong, split: 'train' }),
      ],
    ),
  )
  expect(counted).toEqual({
    evaluated: 4,
    train: 1,
    unanswered: 1,
    repeated: 2,
    skipped: { count: 1, listed: [{ file: 'data.csv', row: 3, reason: 'missing-answer' }] },
  })
})

test('Code that gives other instances when it is called again is told, be it another text, one less or one more', async () => {
  const unsteady = async (files: readonly string[], first: readonly string[], again: readonly string[]) => {
    const series = [first, again].map((texts) => texts.map((text, at) => instance(`${at}`, text)))
    return (await countInstances(benchmarkOf(files, ...series))).unsteady
  }
  const code = ['benchmark.yaml', '/w/benchmarks/own/scenario.ts']
  expect(await unsteady(code, ['a', 'b'], ['a', 'b'])).toBeUndefined()
  expect(await unsteady(code, ['a', 'b'], ['b', 'a'])).toBe(true)
  expect(await unsteady(code, ['a', 'b'], ['a'])).toBe(true)
  expect(await unsteady(code, ['a'], ['a', 'b'])).toBe(true)
  // Data of a file is not read twice.
  expect(await unsteady(['/w/benchmarks/own/my-scenario.ts'], ['a'], ['b'])).toBeUndefined()
})
