import { describe, expect, test } from 'vitest'
import { makeBoard } from '../../../../../targets/board/board.ts'
import { makeCompareData } from '../../../../../tools/site/pages/compare/make-compare-data.ts'
import { chooseModels, sharedTasks } from '../../../../../tools/site/pages/compare/state.ts'
import { sharedBenchmarks } from '../../../../../tools/site/pages/compare/use-differences.ts'
import type { RunFacts, SiteRun } from '../../../../../tools/site/site.ts'
import { packed } from '../../../../../tools/site/values/packed.ts'
import { boardRunOf, type RunSketch } from '../../../../targets/aggregate/board-runs.ts'
import { comparedModel as model, ones } from './compared.ts'

const factsOf = (run: ReturnType<typeof boardRunOf>): RunFacts =>
  ({
    suite: 's',
    name: run.name,
    model: run.model,
    benchmark: run.benchmark,
    coverage: { ...run.coverage, floor: 0.99, causes: {} },
  }) as unknown as RunFacts

describe('what can be compared', () => {
  const sketches: readonly (RunSketch & { readonly name: string; readonly isOpen?: boolean })[] = [
    { model: 'm/a', name: 'bench:ward=x,model=m_a', values: ones(9, 10) },
    { model: 'm/b', name: 'bench:ward=x,model=m_b', values: ones(5, 10), evaluated: 20 },
    { model: 'm/a', name: 'bench:ward=y,model=m_a', values: ones(9, 10) },
    { model: 'm/b', name: 'bench:ward=y,model=m_b', values: ones(5, 10), isOpen: false },
    { model: 'm/b', benchmark: 'second', name: 'second:model=m_b', values: ones(5, 10), trials: 2 },
    { model: 'm/a', benchmark: 'second', name: 'second:model=m_a', values: ones(8, 10) },
    { model: 'm/a', benchmark: 'solo', name: 'solo:model=m_a', values: ones(8, 10) },
  ]
  const runs = sketches.map(boardRunOf)
  const board = makeBoard('s', runs)
  const data = makeCompareData({
    board,
    values: runs.map(({ name, benchmark, model: { deployment }, vector }) => ({
      run: name,
      benchmark: benchmark.name,
      deployment,
      vector: vector ?? { ids: [], values: new Float64Array() },
    })),
    runs: runs.map((run, at): SiteRun => ({
      facts: factsOf(run),
      ...(sketches[at]?.isOpen === false ? {} : { instances: async function* () {} }),
    })),
  })

  test('are models with the benchmarks that they are not ranked in, runs with the models under their floor', () => {
    expect(
      data.models.map(({ key, unranked, latency, usdPerThousand }) => [
        key,
        unranked,
        latency,
        usdPerThousand,
      ]),
    ).toEqual([
      ['m/a', [], null, null],
      ['m/b', [0, 2], null, null],
    ])
    expect(
      data.scenarios.map(({ key, label, benchmark, unranked }) => [key, label, benchmark, unranked]),
    ).toEqual([
      ['bench:ward=x', 'bench (x)', 0, [1]],
      ['bench:ward=y', 'bench (y)', 0, []],
      ['second', 'second', 1, []],
      ['solo', 'solo', 2, [1]],
    ])
  })

  test('are answers of runs that lie open on both sides, in the order of the models', () => {
    expect(data.tasks.map(({ key, label, runs: own }) => [key, label, own.map((run) => run.model)])).toEqual([
      ['bench:ward=x', 'bench (x)', [0, 1]],
      ['second', 'second', [0, 1]],
    ])
    const chosen = chooseModels(data, { a: 'm/b', b: 'm/a' }) ?? { a: -1, b: -1 }
    expect(sharedTasks(data, chosen).map(({ a, b }) => [a.model, b.model])).toEqual([
      [1, 0],
      [1, 0],
    ])
  })

  test('are no answers of a run that one model has twice', () => {
    const twice = [...runs, ...runs.filter(({ name }) => name.startsWith('second:') && name.endsWith('m_a'))]
    const told = (of: readonly (typeof runs)[number][]) =>
      makeCompareData({
        board,
        runs: of.map((run): SiteRun => ({
          facts: factsOf(run),
          instances: async function* () {},
        })),
      }).tasks.map(({ key }) => key)
    expect([told(runs), told(twice)]).toEqual([
      ['bench:ward=x', 'bench:ward=y', 'second'],
      ['bench:ward=x', 'bench:ward=y'],
    ])
  })

  test('take a model that is not named, or named twice, from the best that are left', () => {
    const three = { ...data, models: ['a', 'b', 'c'].map(model) }
    const choice = (a: string, b: string) => Object.values(chooseModels(three, { a, b }) ?? {})
    expect([choice('', ''), choice('b', ''), choice('', 'a'), choice('c', 'c'), choice('a', 'gone')]).toEqual(
      [
        [0, 1],
        [1, 0],
        [1, 0],
        [2, 0],
        [0, 1],
      ],
    )
    expect(chooseModels({ ...data, models: [model('a')] }, { a: '', b: '' })).toBeUndefined()
  })

  test('come with direction, sources, whose values are means, and whether either side is under a floor', () => {
    const valuesOf = (right: number) => data.scenarios.map(() => packed(ones(right, 10)))
    const sources = data.scenarios.map((_, at) => (at === 0 ? packed([1, 1, 2]) : (0 as const)))
    const ofB = data.scenarios.map(({ key }, at) => (key === 'solo' ? (0 as const) : (valuesOf(5)[at] ?? 0)))
    for (const chosen of [
      { a: 0, b: 1 },
      { a: 1, b: 0 },
    ]) {
      const found = sharedBenchmarks(
        data,
        chosen,
        chosen.a === 0 ? valuesOf(9) : ofB,
        chosen.a === 0 ? ofB : valuesOf(9),
        sources,
      )
      expect(found.map(({ isRanked, runs: own }) => [isRanked, own.map((run) => run.isRanked)])).toEqual([
        [false, [false, true]],
        [true, [true]],
      ])
      expect(found[0]?.metric).toMatchObject({ lowerIsBetter: false, range: { low: 0, high: 1 } })
      expect(found.flatMap(({ runs: own }) => own.map((run) => run.sources))).toEqual([
        [1, 1, 2],
        undefined,
        undefined,
      ])
      const means = found.map(({ runs: own }) => own.map((run) => run.areMeans))
      expect(means).toEqual([
        [
          [false, false],
          [false, false],
        ],
        [[chosen.a === 1, chosen.b === 1]],
      ])
    }
  })
})
