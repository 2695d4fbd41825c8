import { describe, expect, test } from 'vitest'
import { boardCell, isRanked, isThere, scoredOf } from '../../../targets/board/board-cell.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import { commonScores } from '../../../targets/compare/ranks/rank-models.ts'
import type { BoardRun } from '../../../targets/runs/board-run.ts'
import { incompleteText } from '../../../tools/compare/coverage-text.ts'
import { boardRunOf, type RunSketch } from '../aggregate/board-runs.ts'

type Stat = BoardRun['stats'][number]

const stat = (name: string, value: number, more: Partial<Stat['name']> = {}): Stat => ({
  name: { name, split: 'test', ...more },
  count: 1,
  sum: value,
})

const cellOf = (change: Partial<BoardRun>, sketch: Partial<RunSketch> = {}) => {
  const run = { ...boardRunOf({ values: [1, 0], ...sketch }), ...change }
  return boardCell([run], run.benchmark)
}

describe('a cell’s means', () => {
  test('are of the main metric’s split, without perturbations', () => {
    const perturbed = { perturbation: { name: 'typos', computedOn: 'perturbed' } }
    const cell = cellOf({
      stats: [
        stat('exact_match', 0.5),
        stat('exact_match', 0.1, perturbed),
        stat('exact_match', 0.2, { split: 'valid' }),
        stat('f1', 0.7),
        stat('f1', 0.3, perturbed),
        stat('f1', 0.4, { split: 'valid' }),
        stat('bleu', NaN),
      ],
    })
    expect(cell.value).toBe(0.5)
    expect(cell.metrics).toEqual([{ name: 'f1', value: 0.7 }])
  })

  test('are HELM’s where it has one, and none where it has none', () => {
    expect(cellOf({ stats: [] })).toMatchObject({ value: null, n: 2, asked: 2 })
    // What could be read of a run without HELM’s mean is no mean of HELM’s.
    const partly = cellOf({ stats: [] }, { values: [1, 0, NaN] })
    expect(partly).toMatchObject({ value: null, score: 0.5, n: 2, asked: 3 })
  })

  test('are over the instances that count, none where nothing was asked, and nobody knows of a mean alone', () => {
    const none = { ...cellOf({ stats: [] }), n: 0, asked: 0 }
    expect([{ n: 2, asked: 3 }, {}, { value: 0.5 }].map((more) => scoredOf({ ...none, ...more }))).toEqual([
      2,
      0,
      null,
    ])
  })

  test('of several runs have no interval where values are withheld, and it is said', () => {
    const { vector: _values, ...run } = boardRunOf({ values: [1, 0] })
    const cell = boardCell([run, { ...run, name: 'other' }], run.benchmark)
    expect(cell).toMatchObject({ interval: null, intervalMethod: '', intervalReason: 'values are withheld' })
    expect(cell.score).toBe(0.5)
  })
})

test('a score of which answers were lost ties with what it equals, in whatever order either was added up', () => {
  const scale = { isShare: false, isBinary: false, lowerIsBetter: true, range: { low: 0, high: 100 } }
  const runs = (model: string, values: readonly number[]) =>
    [0, 1, 2].map((at) => boardRunOf({ ...scale, model, name: `bench:part=${at},model=${model}`, values }))
  const placesOf = (...all: readonly BoardRun[]) =>
    makeBoard('s', all).rows.map(({ cells: [cell] }) => [cell?.score, cell?.place])
  // Thirds of 100 add up to 99.99999999999999, ten times .1 by ones to .9999999999999999.
  expect(placesOf(...runs('a', [100]), ...runs('b', [100, NaN]))).toEqual([
    [100, { rank: 1, tied: true }],
    [100, { rank: 1, tied: true }],
  ])
  const tenths = Array<number>(10).fill(0.1)
  const [one, other] = placesOf(...runs('a', tenths), ...runs('b', [...tenths, NaN]))
  expect(one).toEqual([0.09999999999999999, { rank: 1, tied: true }])
  expect(other).toEqual(one)
})

test('scores of whole cells that only the order of a sum parts tie, on the board as in comparisons', () => {
  const runs = Object.entries({ a: [0.1, 0.2, 0.3], b: [0.3, 0.2, 0.1], c: [0.3, 0.2, 0.2] }).map(
    ([model, values]) => boardRunOf({ model, values }),
  )
  const { rows } = makeBoard('s', runs)
  expect(rows.map(({ winRate, place, cells: [cell] }) => [winRate, place, cell?.place, cell?.score])).toEqual(
    [
      [1, { rank: 1, tied: false }, { rank: 1, tied: false }, expect.closeTo(0.7 / 3, 12)],
      [0.25, { rank: 2, tied: true }, { rank: 2, tied: true }, 0.20000000000000004],
      [0.25, { rank: 2, tied: true }, { rank: 2, tied: true }, 0.20000000000000004],
    ],
  )
  // HELM's own digits stay beside it.
  expect(rows.map(({ cells: [cell] }) => cell?.value)).toContain(0.19999999999999998)
  // Thirds: 10/3 and 2 are 8/3 and 8/3.
  const thirds = [
    [10 / 3, 2, 1 / 3],
    [8 / 3, 8 / 3, 1 / 3],
  ].map((own) => Float64Array.from(own))
  const [first, second] = commonScores({ strata: [{ instances: 3, values: thirds }] }, 2)
  expect(first).toBe(second)
})

test('a cell without a score is not ranked, and one of a mean alone is there', () => {
  const cell = cellOf({})
  expect([isRanked(cell), isRanked({ ...cell, score: null })]).toEqual([true, false])
  expect([isThere({ runs: [], value: 0.5 }), isThere({ runs: ['r'], value: null })]).toEqual([true, true])
  expect(isThere({ runs: [], value: null })).toBe(false)
})

test('a run none of whose answers could be read leaves a cell without a score, and is counted; one of a mean alone is neither', () => {
  const runs = [[1, 0], [], [NaN, NaN], [NaN]].map((values, at) =>
    boardRunOf({ name: `b:part=${at}`, values }),
  )
  const { benchmark } = boardRunOf({ values: [] })
  const cell = (...parts: readonly number[]) =>
    boardCell(
      parts.flatMap((at) => runs[at] ?? []),
      benchmark,
    )
  expect(cell(0, 2, 3)).toMatchObject({ score: null, emptyRuns: 2, n: 2, asked: 5 })
  expect(cell(0, 3)).toMatchObject({ emptyRuns: 1 })
  expect(incompleteText(cell(0, 1, 2))).toBe('unranked: 1 run without an answer that could be read')
  for (const whole of [cell(0, 1), cell(0)]) {
    expect(whole.score).toBe(0.5)
    expect(whole).not.toHaveProperty('emptyRuns')
  }
  // Its one run is the cell: its coverage says it.
  expect(cell(2)).not.toHaveProperty('emptyRuns')
})

test('failures are counted by stage, then code', () => {
  const failed = (stage: string, code: string): BoardRun['failures'][number] =>
    ({ stage, code }) as BoardRun['failures'][number]
  const { failures } = cellOf({
    failures: [
      failed('metrics', 'a'),
      failed('completions', 'z'),
      failed('completions', 'b'),
      failed('metrics', 'a'),
    ],
  })
  expect(failures).toEqual([
    { stage: 'completions', code: 'b', count: 1 },
    { stage: 'completions', code: 'z', count: 1 },
    { stage: 'metrics', code: 'a', count: 2 },
  ])
})

test('models of one place stand by label, whatever they are deployed as', () => {
  const run = (label: string, deployment: string): BoardRun => {
    const made = boardRunOf({ model: deployment, deployment, values: [1, 0] })
    return { ...made, model: { ...made.model, displayName: label } }
  }
  const { rows } = makeBoard('s', [run('B', 'x/1'), run('A', 'x/2')])
  expect(rows.map(({ label }) => label)).toEqual(['A', 'B'])
})

test('what two runs could not compute alike is told once, and an unranked cell has no place', () => {
  const run = boardRunOf({ values: [1, 0] })
  const twice = ['x', 'y'].map((name) => ({ ...run, name, omitted: ['no references'] }))
  expect(boardCell(twice, run.benchmark).omitted).toEqual(['no references'])
  const { rows } = makeBoard('s', [
    run,
    boardRunOf({ model: 'm/b', values: [0, 0] }),
    boardRunOf({ model: 'm/lost', values: [1, 1], evaluated: 9 }),
  ])
  expect(rows.map(({ label, cells: [cell] }) => [label, cell?.place?.rank ?? null])).toEqual([
    ['a/model', 1],
    ['m/b', 2],
    ['m/lost', null],
  ])
})

test('an interval of instances that share what nothing names says that it is too narrow', () => {
  const run = boardRunOf({ values: [1, 0, 1] })
  const reason = (unnamedSources?: string): unknown =>
    boardCell([{ ...run, ...(unnamedSources !== undefined && { unnamedSources }) }], run.benchmark)
      .intervalReason
  expect(reason()).toBe('')
  expect(reason('patient')).toBe('too narrow: instances share a patient, and the files do not tell which')
  const both = ['b:part=1', 'b:part=2'].map((name) => ({ ...run, name, unnamedSources: 'patient' }))
  expect(boardCell(both, run.benchmark).intervalReason).toBe(
    'too few sources; too narrow: instances share a patient, and the files do not tell which',
  )
})
