import { expect, test } from 'vitest'
import type { ComparedRun } from '../../../targets/compare/compared-run.ts'
import { rankColumns } from '../../../targets/compare/ranks/rank-columns.ts'
import { madeUpComparedRun } from './made-up-compared-run.ts'

const INSTANCES = ['one', 'two', 'three'].map((id) => ({ id, digest: id }))

const run = (benchmark: string, scenario: string, deployment: string): ComparedRun => ({
  ...madeUpComparedRun(
    { name: `${scenario},model=${deployment}`, scenario, deployment, results: '' },
    INSTANCES,
    (at) => at % 2,
  ),
  benchmark,
})

test('What has no value of the main metric is missing in the column, not 0.', () => {
  const whole = run('ward', 'ward', 'm/a')
  const holed: ComparedRun = {
    ...run('ward', 'ward', 'm/b'),
    coverageFloor: 0.5,
    values: new Map([
      ['em', Float64Array.from([NaN, 1, 0])],
      ['other', Float64Array.from([1, NaN, NaN])],
    ]),
  }
  const { columns, models } = rankColumns([whole, holed])
  expect(models).toEqual(['m/a', 'm/b'])
  expect(columns[0]?.strata[0]?.values.map((own) => [...(own ?? [])])).toEqual([
    [0, 1, 0],
    [NaN, 1, 0],
  ])
})

test('An id of which two models were asked other questions is two instances.', () => {
  const [a, b] = [run('ward', 'ward', 'm/a'), run('ward', 'ward', 'm/b')]
  const other = {
    ...b,
    instances: b.instances.map((own, at) => (at === 0 ? { ...own, digest: 'new' } : own)),
  }
  expect(rankColumns([a, other]).columns[0]?.strata[0]).toMatchObject({
    instances: INSTANCES.length + 1,
    asked: [Uint8Array.from([1, 1, 1, 0]), Uint8Array.from([0, 1, 1, 1])],
  })
})

test('Rows asked in several wordings are one source each, and another one in another benchmark.', () => {
  const { columns } = rankColumns(
    ['ward', 'clinic'].flatMap((benchmark) =>
      ['plain', 'long'].map((words) => run(benchmark, `${benchmark}:words=${words}`, 'm/a')),
    ),
  )
  const named = columns.map(({ strata }) => strata.map(({ sources }) => sources ?? []))
  expect(named.map((strata) => strata.length)).toEqual([2, 2])
  for (const [plain, long] of named) expect(plain).toEqual(long)
  expect(new Set(named.flat(2)).size).toBe(2 * INSTANCES.length)
})

test('A mean has the digits of HELM’s sum, as on a board, where nothing is missing.', () => {
  const helmSum = { count: 1, sum: 0.10000000000000002 }
  const whole = { ...run('ward', 'ward', 'm/a'), helmSum }
  const holed: ComparedRun = {
    ...run('ward', 'ward', 'm/b'),
    helmSum,
    coverageFloor: 0.5,
    values: new Map([['em', Float64Array.from([NaN, 1, 0])]]),
  }
  const split = run('ward', 'ward', 'm/c')
  expect(rankColumns([whole, holed, split]).columns[0]?.helmScores).toEqual([
    0.10000000000000002,
    undefined,
    undefined,
  ])
})

test('Each stratum holds the values of its own runs, and what too few models have is named with its benchmark.', () => {
  const all = ['m/a', 'm/b', 'm/c'].map((model) => run('ward', 'ward:words=plain', model))
  const most = ['m/a', 'm/b'].map((model) => ({
    ...run('ward', 'ward:words=long', model),
    values: new Map([['em', Float64Array.from([1, 1, 0.5])]]),
  }))
  const { columns, leftOut } = rankColumns([...all, ...most, run('ward', 'ward:words=odd', 'm/a')])
  expect(columns[0]?.strata.map(({ values }) => values.map((own) => own && [...own]))).toEqual([
    [[1, 1, 0.5], [1, 1, 0.5], undefined],
    [[0, 1, 0], [0, 1, 0], undefined],
  ])
  expect(leftOut).toEqual([{ benchmark: 'ward', scenarios: ['ward:words=odd'] }])
})
