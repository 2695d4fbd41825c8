import { expect, test } from 'vitest'
import { discreetBenchmark } from '../../../benchmarks/access/access.ts'
import type { Access, Benchmark } from '../../../benchmarks/scenario/benchmark.ts'

const SECRET = 'Mrs Example was admitted on Monday with a fever'

/** A benchmark all of whose work fails, with words of its data. */
const failing = (access: Access): Benchmark => {
  const fail = async (): Promise<never> => {
    throw new Error(SECRET)
  }
  return {
    access,
    identity: fail,
    instances: async function* () {
      yield { id: 'one' }
      await fail()
    },
    queries: { gold: 1, locate: fail },
  } as unknown as Benchmark
}

const messages = async (benchmark: Benchmark): Promise<readonly string[]> => {
  const works: readonly Promise<unknown>[] = [
    benchmark.identity(),
    Promise.resolve(benchmark.queries?.locate()),
    (async () => {
      for await (const instance of benchmark.instances(() => undefined))
        expect(instance).toEqual({ id: 'one' })
    })(),
  ]
  const ends = await Promise.allSettled(works)
  return ends.map((end) => (end.status === 'rejected' ? (end.reason as Error).message : 'none'))
}

test('What fails in a public benchmark is told as it is.', async () => {
  const benchmark = failing('public')
  expect(discreetBenchmark(benchmark)).toBe(benchmark)
  expect(await messages(benchmark)).toEqual([SECRET, SECRET, SECRET])
})

test.each(['gated', 'private'] as const)(
  'What fails in a %s one quotes nothing of its data.',
  async (access) => {
    const discreet = discreetBenchmark(failing(access))
    for (const message of await messages(discreet))
      expect(message).toMatch(/^\[47 characters withheld, sha256 /)
    expect(discreet.queries).toMatchObject({ gold: 1 })
  },
)

test('What works, works as before; a benchmark without a database gets none.', async () => {
  const { queries: _, ...plain } = failing('private')
  const benchmark = {
    ...plain,
    identity: async () => ({ name: 'x' }),
    instances: async function* (onSkipped: (row: number) => void) {
      onSkipped(3)
      yield { id: 'two' }
    },
  } as unknown as Benchmark
  const discreet = discreetBenchmark(benchmark)
  expect('queries' in discreet).toBe(false)
  expect(await discreet.identity()).toEqual({ name: 'x' })
  const skipped: unknown[] = []
  const found = []
  for await (const instance of discreet.instances((row) => void skipped.push(row))) found.push(instance)
  expect([found, skipped]).toEqual([[{ id: 'two' }], [3]])
})
