import { describe, expect, test } from 'vitest'
import type { InstanceView } from '../../../../../tools/site/pages/run/instances/instance-view.ts'
import { float } from '../../../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../../../benchmarks/python/value.ts'
import { MetricValues, shownId } from '../../../../../tools/site/pages/run/metric-values.ts'
import { OutcomeWriter, type OutcomeChunk } from '../../../../../tools/site/pages/run/outcomes.ts'
import { joinOutcomes, pageOfRow, type InstanceIndex } from '../../../../../tools/site/pages/run/run-index.ts'
import { pageOf, rowOf, selectRows } from '../../../../../tools/site/pages/run/select-rows.ts'
import { DEFAULT_RUN_STATE, type PageState } from '../../../../../tools/site/pages/run/state.ts'

type Judged = readonly (readonly [judge: string, scores: Readonly<Record<string, string>>])[]

const instance = (
  id: string,
  more: Partial<InstanceView<string>> = {},
  judged: Judged = [],
): InstanceView<string> => ({
  id,
  trial: 0,
  split: 'test',
  prompt: '',
  references: [],
  completions: [],
  judges: judged.map(([name, scores]) => ({
    name,
    scores: Object.entries(scores).map(([criterion, score]) => ({ criterion, score, explanation: '' })),
  })),
  annotations: [],
  metrics: [['main', 1]],
  ...more,
})

const chunkOf = (instances: readonly InstanceView<string>[]): OutcomeChunk => {
  const writer = new OutcomeWriter('main')
  for (const each of instances) writer.add(each)
  expect(writer.endPage(instances.length)).toBeUndefined()
  const { script } = writer.end(3)
  return (JSON.parse(`[${script.slice('__chunk('.length, -');\n'.length)}]`) as [string, OutcomeChunk])[1]
}

describe('a run’s index', () => {
  test('tells how far judges are apart on the criterion on which they are most, among those that gave a number', () => {
    const spreadOf = (...judged: Judged) => chunkOf([instance('a', {}, judged)]).spreads?.[0]
    expect(spreadOf(['x', { tone: '2', facts: '5' }], ['y', { tone: '3', facts: '1.5' }])).toBe(3.5)
    // What one of them alone scored parts nobody.
    expect(spreadOf(['x', { tone: '2' }], ['y', { facts: '5' }])).toBeUndefined()
    expect(spreadOf(['x', { tone: '2' }], ['y', { tone: 'unclear' }], ['z', { tone: '-1' }])).toBe(3)
  })

  test('tells scores of the main metric, failures and trials, and nothing of what was not measured', () => {
    const chunk = chunkOf([
      instance('a', {
        metrics: [
          ['other', 9],
          ['main', 0],
        ],
      }),
      instance('b', { metrics: [['other', 9]], error: 'refused' }),
    ])
    expect(chunk).toEqual({
      sizes: [2],
      ids: ['a', 'b'],
      scores: [0, null],
      failed: [1],
      last: true,
      texts: 3,
    })
    expect(chunkOf([instance('a'), instance('a', { trial: 1 })]).trials).toEqual([0, 1])
  })

  test('joins its chunks row by row, and knows the page of each', () => {
    const chunk = (ids: readonly string[], more: Partial<OutcomeChunk>): OutcomeChunk => ({
      sizes: [ids.length],
      ids,
      scores: ids.map(() => 1),
      failed: [],
      last: false,
      ...more,
    })
    const index = joinOutcomes([
      chunk(['a', 'b', 'c'], { sizes: [2, 1], failed: [2] }),
      chunk(['d', 'e'], { failed: [0], trials: [0, 1], spreads: [null, 2], last: true, texts: 4 }),
    ])
    expect(index).toMatchObject({
      ids: ['a', 'b', 'c', 'd', 'e'],
      trials: [0, 0, 0, 0, 1],
      spreads: [null, null, null, null, 2],
      starts: [0, 2, 3],
      texts: 4,
    })
    expect([...index.failed]).toEqual([2, 3])
    expect([0, 1, 2, 3, 4].map((row) => pageOfRow(index, row))).toEqual([
      { page: 0, place: 0 },
      { page: 0, place: 1 },
      { page: 1, place: 0 },
      { page: 2, place: 0 },
      { page: 2, place: 1 },
    ])
  })
})

describe('the rows that a reader asks for', () => {
  const index: InstanceIndex = {
    ids: ['a', 'b', 'c', 'd', 'a'],
    trials: [0, 0, 0, 0, 1],
    scores: [0.5, 0, null, 1, 0.5],
    spreads: [1, null, 2, 0, 0.5],
    failed: new Set([3]),
    starts: [0],
    texts: 0,
  }
  const rows = (some: Partial<PageState>, wrong?: number) =>
    selectRows(index, { ...DEFAULT_RUN_STATE, ...some }, wrong, new Set([1]))

  test('lie within a range of scores, its ends included', () => {
    expect(rows({ from: '0.5' })).toEqual([0, 3, 4])
    expect(rows({ to: '0.5' })).toEqual([0, 1, 4])
    expect(rows({ from: '0.5', to: '0.5' })).toEqual([0, 4])
    expect(rows({})).toEqual([0, 1, 2, 3, 4])
  })

  test('are wrong, failed, flagged, or so far apart', () => {
    expect(rows({ show: 'wrong' }, 0)).toEqual([1])
    expect(rows({ show: 'failed' })).toEqual([2, 3])
    expect(rows({ show: 'flagged' })).toEqual([1])
    expect(rows({ show: 'apart', apart: '1' })).toEqual([0, 2])
    expect(rows({ show: 'apart', apart: '' })).toEqual([0, 2])
  })

  test('stand in the order asked for, without a value last, equal ones as they came', () => {
    expect(rows({ sort: 'low' })).toEqual([1, 0, 4, 3, 2])
    expect(rows({ sort: 'high' })).toEqual([3, 0, 4, 1, 2])
    expect(rows({ sort: 'apart' })).toEqual([2, 0, 4, 3, 1])
  })

  test('come page by page, and an instance’s link leads to its trial’s page', () => {
    const trial = (instance_: string, of: string) => rowOf(index, { instance: instance_, trial: of })
    expect([trial('a', '1'), trial('a', '2'), trial('b', '2')]).toEqual([0, 4, undefined])
    const many = Array.from({ length: 25 }, (_, at) => at)
    const paged = (page: string, linked?: number) => {
      const { page: at, pages, rows: own } = pageOf(many, { page, size: 10 }, linked)
      return [at, pages, own[0], own.length]
    }
    expect(paged('1')).toEqual([0, 3, 0, 10])
    expect(paged('3')).toEqual([2, 3, 20, 5])
    expect([paged('9'), paged('0'), paged('x')]).toEqual([
      [2, 3, 20, 5],
      [0, 3, 0, 10],
      [0, 3, 0, 10],
    ])
    expect(paged('1', 19)).toEqual([1, 3, 10, 10])
    expect(pageOf([], { page: '1', size: 10 }, undefined)).toEqual({ page: 0, pages: 1, rows: [] })
  })
})

test('a request’s values are its own means, per trial and perturbation, and none where a metric has none', () => {
  const values = new MetricValues()
  const stat = (name: string, count: number, sum: number, perturbed = false) => ({
    name: {
      name,
      split: 'test',
      ...(perturbed && { perturbation: { name: 'typos', computedOn: 'perturbed' } }),
    },
    count,
    sum,
  })
  const add = (id: string, trial: number, ...stats: ReturnType<typeof stat>[]): void =>
    values.add({ instanceId: id, trainTrialIndex: trial, stats })
  add('a', 0, stat('f1', 4, 3), stat('f1', 1, 0, true))
  add('a', 1, stat('f1', 1, 0.25))
  add('b', 0, stat('f1', 0, 0))
  add('b', 0, stat('bleu', 1, 0.5))
  const perturbation = new Map<string, PyValue>([
    ['name', 'typos'],
    ['robustness', true],
    ['prob', float(0.1)],
  ])
  values.add({ instanceId: 'a', perturbation, trainTrialIndex: 0, stats: [stat('f1', 1, 0, true)] })
  const id = shownId('a', perturbation)
  expect([id, values.of(id, 0)]).toEqual(['a, perturbed: typos, prob 0.1', [['f1', 0]]])
  expect([values.of('a', 0), values.of('a', 1), values.of('b', 0), values.of('c', 0)]).toEqual([
    [['f1', 0.75]],
    [['f1', 0.25]],
    [['bleu', 0.5]],
    [],
  ])
})
