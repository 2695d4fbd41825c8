import { describe, expect, test } from 'vitest'
import type { Access, Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { LostValueError } from '../../../cache/problems/lost-value.ts'
import { envFor } from '../../../targets/env/env.ts'
import { instancesKey } from '../../../targets/keys/keys.ts'
import {
  chooseInstances,
  listInstances,
  loadInstance,
  withInstances,
} from '../../../targets/stages/instances.ts'
import { madeUpInstances, madeUpRun, madeUpTarget, textReply } from '../../rig/made-up-run.ts'

const NAME = 'Ms Made-Up'

/** A benchmark that counts how often its data is read. */
const benchmarkOf = (instances: readonly Instance[], access: Access = 'public', end = () => {}) => {
  let reads = 0
  const { benchmark } = madeUpTarget({
    instances,
    access,
    benchmark: {
      instances: async function* () {
        reads += 1
        yield* instances
        end()
      },
    },
  }).spec
  return { benchmark, reads: () => reads }
}

const open = async ({ access }: Pick<Benchmark, 'access'>) => {
  const run = await madeUpRun(() => textReply(''))
  return { run, env: await envFor({ access }, run.env) }
}

describe('The instances of a benchmark', () => {
  const rows = [
    { ...madeUpInstances([['first', 'x']])[0], id: 'a', cluster: 'patient 1' },
    { ...madeUpInstances([['second', 'y']])[0], id: 7, split: 'train', subSplit: 'part' },
    { ...madeUpInstances([['third', 'z']])[0], id: 'c', split: 'valid', attributes: { sex: 'f' } },
  ] as readonly Instance[]

  test('are read once, and from then on listed as they were, bodies and all.', async () => {
    const { benchmark, reads } = benchmarkOf(rows)
    const { env } = await open(benchmark)
    const key = await instancesKey(benchmark)
    const made = await listInstances(benchmark, key, env)
    const stored = await listInstances(benchmark, key, env)
    expect([made.cached, stored.cached, reads()]).toEqual([false, true, 1])
    expect(stored.refs).toStrictEqual(made.refs)
    expect(stored.refs).toStrictEqual([
      { id: 'a', split: 'test', cluster: 'patient 1', digest: expect.any(String) },
      { id: 7, split: 'train', subSplit: 'part', digest: expect.any(String) },
      { id: 'c', split: 'valid', attributes: { sex: 'f' }, digest: expect.any(String) },
    ])
    expect(stored.refs.map((ref) => loadInstance(ref, env.store).input.text)).toEqual([
      'first',
      'second',
      'third',
    ])
    const { train, evaluated } = chooseInstances(stored.refs, {})
    expect([train, evaluated].map((refs) => refs.map(({ id }) => id))).toEqual([[7], ['a', 'c']])
  })

  test('that break off half-way leave nothing.', async () => {
    const { benchmark } = benchmarkOf(rows, 'public', () => {
      throw new Error('torn')
    })
    const { run, env } = await open(benchmark)
    await expect(listInstances(benchmark, await instancesKey(benchmark), env)).rejects.toThrow('torn')
    expect([...run.env.records.entries('instances')]).toEqual([])
  })

  test('that are many and short do not all wait for the last, and are none the fewer for it.', async () => {
    const many = Array.from({ length: 11_000 }, (_, index): Instance => ({
      ...(rows[0] as Instance),
      id: index,
      input: { text: String(index) },
    }))
    let before = 0
    const { benchmark } = benchmarkOf(many, 'public', () => {
      before = [...run.env.records.entries('instances')].length
    })
    const { run, env } = await open(benchmark)
    const { refs } = await listInstances(benchmark, await instancesKey(benchmark), env)
    expect(before).toBeGreaterThanOrEqual(10_000)
    expect([refs.length, [...run.env.records.entries('instances')].length]).toEqual([11_000, 11_001])
  })

  test('of which the store lost one are read again, once.', async () => {
    const { benchmark, reads } = benchmarkOf(rows)
    const { env } = await open(benchmark)
    const key = await instancesKey(benchmark)
    const { refs } = await listInstances(benchmark, key, env)
    const lost = refs[0]?.digest ?? ''
    await env.store.remove('instances', lost)
    const text = await withInstances(benchmark, key, env, async (list) => {
      const [ref] = list.refs
      return ref && loadInstance(ref, env.store).input.text
    })
    expect([text, reads()]).toEqual(['first', 2])
    const failing = withInstances(benchmark, key, env, async () => {
      throw new Error('of another kind')
    })
    await expect(failing).rejects.toThrow('of another kind')
    expect(reads()).toBe(2)
  })

  test.each([
    ['public', true],
    ['gated', false],
    ['private', false],
  ] as const)('that share an id are refused; of %s ones the id is told: %s.', async (access, isTold) => {
    const twice = [...rows, { ...rows[0], id: NAME }, { ...rows[1], id: NAME }] as readonly Instance[]
    const { benchmark } = benchmarkOf(twice, access)
    const { env } = await open(benchmark)
    const error = await listInstances(benchmark, await instancesKey(benchmark), env).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({
      problems: [{ code: 'benchmarks/duplicate-id', where: { field: benchmark.name } }],
    })
    expect(JSON.stringify(error).includes(NAME)).toBe(isTold)
    expect((error as Error).message.includes(NAME)).toBe(isTold)
  })
})

test('Only an instance that was lost is read anew, not what else was.', async () => {
  const { benchmark, reads } = benchmarkOf(madeUpInstances([['first', 'x']]))
  const { env } = await open(benchmark)
  const key = await instancesKey(benchmark)
  await listInstances(benchmark, key, env)
  const lose = (table: 'instances' | 'prompts') =>
    withInstances(benchmark, key, env, async ({ cached }) => {
      if (cached) throw new LostValueError({ table, id: 'x', what: 'it' })
      return 'read'
    })
  await expect(lose('prompts')).rejects.toBeInstanceOf(LostValueError)
  expect(reads()).toBe(1)
  expect([await lose('instances'), reads()]).toEqual(['read', 2])
})
