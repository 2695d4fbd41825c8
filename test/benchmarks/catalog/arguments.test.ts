import { expect, test } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { listBenchmarks } from '../../../benchmarks/lookup/list.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { problemOf } from '../../rig/problem-of.ts'

const find = (name: string, args: Readonly<Record<string, PyValue>> = {}) =>
  findBenchmark(name, new Map(Object.entries(args)), benchmarkContext())

test('HEAD-QA takes a language and a category, and names both.', async () => {
  const benchmark = await find('head_qa', { category: 'medicine' })
  expect(benchmark.runName).toBe('head_qa:language=en,category=medicine')
  expect([...benchmark.scenario.spec.args]).toEqual([
    ['language', 'en'],
    ['category', 'medicine'],
  ])
  expect(await problemOf(() => find('head_qa', { language: 'fr' }))).toMatchObject({
    code: 'benchmarks/bad-argument',
  })
})

test('MedDialog needs its subset.', async () => {
  expect(await problemOf(() => find('med_dialog'))).toMatchObject({ code: 'benchmarks/missing-argument' })
  const problem = await problemOf(() => find('med_dialog', { subset: 'icliniK' }))
  expect(problem?.remedy).toContain('icliniq')
})

test('A version of MedCalc-Bench is a run of its own, and another data set.', async () => {
  expect((await find('medcalc_bench')).runName).toBe('medcalc_bench')
  const versioned = await find('medcalc_bench', { version: 'v1.0' })
  expect(versioned.runName).toBe('medcalc_bench:version=v1.0')
  expect(await problemOf(() => find('medcalc_bench', { version: 'v9' }))).toMatchObject({
    code: 'benchmarks/bad-argument',
  })
})

test('Each public benchmark of MedHELM says where it stands, under which terms, and what is known to be wrong.', async () => {
  const { workspace } = benchmarkContext()
  const all = await listBenchmarks({ workspace })
  const shown = all.filter(({ access, name }) => access === 'public' && !name.startsWith('demo_'))
  expect(shown).toHaveLength(26)
  for (const { name, category, subcategory, taxonomy, citation, homepage, errata } of shown) {
    expect({ name, category, subcategory, citation, homepage, taxonomy }).not.toContain(undefined)
    for (const { id, about } of errata) expect(`${id}: ${about}`).toMatch(/^[a-z-]+: [^]+\.$/)
  }
})
