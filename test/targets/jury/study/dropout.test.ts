import { expect, test } from 'vitest'
import type { PyValue } from '../../../../benchmarks/python/value.ts'
import { compareDropout, judgeRun, type JudgedScores } from '../../../../targets/jury/study/dropout.ts'
import type { RequestState } from '../../../../targets/record/request-state.ts'

const state = (scores: Readonly<Record<string, number>> | undefined): RequestState => {
  const annotations =
    scores && new Map<string, PyValue>([['demo', new Map<string, PyValue>(Object.entries(scores))]])
  return { annotations } as unknown as RequestState
}

/** The mean over the judges; 1 without any. */
const score = ({ annotations }: RequestState): number => {
  const annotation = annotations?.get('demo')
  const scores = annotation instanceof Map ? [...annotation.values()].map(Number) : []
  return scores.length === 0 ? 1 : scores.reduce((sum, each) => sum + each, 0) / scores.length
}

const jury = { score, annotator: 'demo', judges: ['gpt', 'claude'] }

test('a run is scored anew without each judge, from the stored judgements alone', () => {
  const states = [state({ gpt: 5, claude: 3 }), state({ gpt: 4 }), state(undefined)]
  expect(judgeRun(states, { benchmark: 'b', model: 'm', jury })).toEqual({
    benchmark: 'b',
    model: 'm',
    requests: 2,
    all: 4,
    // The second answer was scored by gpt alone: without it the default counts.
    without: new Map([
      ['gpt', 2],
      ['claude', 4.5],
    ]),
  })
})

const run = (model: string, all: number, gpt: number, claude: number): JudgedScores => ({
  benchmark: 'b',
  model,
  requests: 1,
  all,
  without: new Map([
    ['gpt', gpt],
    ['claude', claude],
  ]),
})

test('ranks share places for equal scores, and pairs that stand the other way round are counted', () => {
  const [found] = compareDropout([run('x', 3, 5, 3), run('y', 4, 4, 3), run('z', 5, 3, 3)])
  expect(found?.rows.map(({ model, all, without }) => [model, all.rank, without.get('gpt')?.rank])).toEqual([
    ['z', 1, 3],
    ['y', 2, 2],
    ['x', 3, 1],
  ])
  expect(found?.rows.map(({ without }) => without.get('claude')?.rank)).toEqual([2, 2, 2])
  expect(found?.rows.map(({ all, without }) => [all.score, without.get('gpt')?.score])).toEqual([
    [5, 3],
    [4, 4],
    [3, 5],
  ])
  // A tie is no swap.
  expect(found?.swaps).toEqual(
    new Map([
      ['gpt', 3],
      ['claude', 0],
    ]),
  )
})

test('benchmarks are compared each on its own', () => {
  const other = { ...run('x', 1, 1, 1), benchmark: 'c' }
  expect(
    compareDropout([run('x', 3, 5, 3), other]).map(({ benchmark, rows }) => [benchmark, rows.length]),
  ).toEqual([
    ['b', 1],
    ['c', 1],
  ])
})
