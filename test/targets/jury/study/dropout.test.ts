import { expect, test } from 'vitest'
import { float } from '../../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../../benchmarks/python/value.ts'
import { compareDropout, judgeRun, type RankedScores } from '../../../../targets/jury/study/dropout.ts'
import { judgeScores } from '../../../../targets/jury/judge-scores.ts'
import type { JuryReading } from '../../../../targets/jury/stored-judgements.ts'
import type { RequestState } from '../../../../targets/record/request-state.ts'

/** An answer to a question, and what judges gave it: null could not be read. */
const state = (
  id: string,
  scores: Readonly<Record<string, number | null>> | undefined,
  trial = 0,
): RequestState => {
  const given = (score: number): PyValue =>
    new Map([['accuracy', new Map<string, PyValue>([['score', float(score)]])]])
  const read = Object.entries(scores ?? {}).flatMap(([judge, score]) =>
    score === null ? [] : [[judge, given(score)] as const],
  )
  const annotations = scores && new Map<string, PyValue>([['demo', new Map<string, PyValue>(read)]])
  return { annotations, instance: { id, split: 'test' }, trainTrialIndex: trial } as unknown as RequestState
}

/** The mean over the judges; 1 without any. */
const score = ({ annotations }: RequestState): number => {
  const annotation = annotations?.get('demo')
  const scores =
    annotation instanceof Map ? [...annotation.values()].map((judgement) => judgedScoreOf(judgement)) : []
  return scores.length === 0 ? 1 : scores.reduce((sum, each) => sum + each, 0) / scores.length
}
const judgedScoreOf = (judgement: PyValue): number => {
  const scores = judgeScores(judgement)
  return scores.kind === 'done' ? (scores.value[0] ?? NaN) : NaN
}

const judges = ['gpt', 'claude']
const of = {
  benchmark: 'b',
  model: 'm',
  split: 'test',
  jury: { score, annotator: 'demo', judges },
  reading: {
    judges,
    jury: { annotator: 'demo', criteria: new Map([['accuracy', ['score']]]), scale: { least: 1, most: 5 } },
    dialect: { scores: 'int' },
  } as unknown as JuryReading,
}
const asked = ['x', 'y', 'z'].map(() => ({ split: 'test' as const }))

test('a jury of one has no score without its judge', () => {
  const alone = { judges: ['gpt'] }
  const one = { ...of, jury: { ...of.jury, ...alone }, reading: { ...of.reading, ...alone } }
  const { all, without } = judgeRun({ asked, states: [state('x', { gpt: 5 })] }, one)
  expect([all.mean, without.get('gpt')]).toEqual([5, { mean: null, instances: 0 }])
})

test('a run is scored anew without each judge, over the answers that all who are left could be read of', () => {
  const states = [
    state('x', { gpt: 5, claude: 3 }),
    state('y', { gpt: 4, claude: null }),
    state('z', { gpt: null, claude: 7 }),
  ]
  expect(judgeRun({ asked, states }, of)).toEqual({
    benchmark: 'b',
    model: 'm',
    requests: 3,
    asked: 3,
    all: { mean: 4, instances: 1 },
    without: new Map([
      // Nor does a score off the scale count.
      ['gpt', { mean: 3, instances: 1 }],
      ['claude', { mean: 4.5, instances: 2 }],
    ]),
  })
})

test('an instance of which a trial was not answered, or not judged, has no score, nor has a run without any', () => {
  const states = [
    state('x', { gpt: 5, claude: 3 }),
    state('x', { gpt: 1, claude: 1 }, 1),
    state('y', { gpt: 4, claude: 4 }),
    state('z', { gpt: 4, claude: 4 }),
    state('z', undefined, 1),
  ]
  expect(judgeRun({ asked, states }, of).all).toEqual({ mean: 2.5, instances: 1 })
  const bare = judgeRun({ asked, states: [state('x', { gpt: null, claude: null })] }, of)
  expect(bare.all).toEqual({ mean: null, instances: 0 })
  const [found] = compareDropout([{ ...bare, isRanked: true }, run('x', 3, 3, 3)])
  expect(found?.rows.map(({ model, all }) => [model, all.rank])).toEqual([
    ['x', 1],
    ['m', null],
  ])
  expect(found?.swaps.get('gpt')).toBeNull()
})

const run = (model: string, all: number, gpt: number, claude: number): RankedScores => ({
  benchmark: 'b',
  model,
  requests: 1,
  asked: 1,
  isRanked: true,
  all: { mean: all, instances: 1 },
  without: new Map([
    ['gpt', { mean: gpt, instances: 1 }],
    ['claude', { mean: claude, instances: 1 }],
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

test('a run under its floor has a score, and neither a rank nor a pair', () => {
  const under = { ...run('y', 4, 1, 4), isRanked: false }
  const [found] = compareDropout([run('x', 3, 5, 3), under, run('z', 5, 3, 3)])
  expect(found?.rows.map(({ model, all, without }) => [model, all, without.get('gpt')?.rank])).toEqual([
    ['z', { score: 5, rank: 1, instances: 1 }, 2],
    ['x', { score: 3, rank: 2, instances: 1 }, 1],
    ['y', { score: 4, rank: null, instances: 1 }, null],
  ])
  expect(found?.swaps.get('gpt')).toBe(1)
  // Of one ranked model alone nobody can say that none swaps.
  const [alone] = compareDropout([run('x', 3, 5, 3), under])
  expect(alone?.swaps.get('gpt')).toBeNull()
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
