import { describe, expect, test } from 'vitest'
import { columnTests } from '../../../../../targets/board/board-columns.ts'
import { boardPairs } from '../../../../../targets/board/board-pairs.ts'
import { boardOfTask } from '../../../../../targets/board/board-tasks.ts'
import { boardUncertainty, withUncertainty } from '../../../../../targets/board/board-uncertainty.ts'
import { makeBoard } from '../../../../../targets/board/board.ts'
import { finish } from '../../../../../targets/statistics/scale.ts'
import type { TaskData } from '../../../../../tools/site/pages/leaderboard/board/board-data.ts'
import { chosenColumns } from '../../../../../tools/site/pages/leaderboard/board/board-view.ts'
import { detailsOf } from '../../../../../tools/site/pages/leaderboard/details.ts'
import { chunksOf, ownTask, testsOfColumn } from '../../../../../tools/site/pages/leaderboard/own-ranks.ts'
import { nearly, rankData } from '../../../../../tools/site/pages/leaderboard/rank-data.ts'
import { DEFAULT_STATE } from '../../../../../tools/site/pages/leaderboard/state.ts'
import type { RunFacts, SiteSuite } from '../../../../../tools/site/site.ts'
import {
  valuesFiles,
  type BenchmarkValues,
  type SpentSum,
} from '../../../../../tools/site/values/values-files.ts'
import { boardRunOf } from '../../../../targets/aggregate/board-runs.ts'
import { dataOf, viewOf } from './views.ts'

const ones = (count: number, of = 60): number[] =>
  Array.from({ length: of }, (_, at) => Number((at * 7) % of < count))

/** Three ranked models, and one that lost answers of the first benchmark. */
const runs = [
  ...[50, 30, 28, 55].map((right, at) =>
    boardRunOf({
      model: `m/${'abcd'.charAt(at)}`,
      values: ones(right),
      ...(at === 3 ? { evaluated: 90 } : {}),
    }),
  ),
  ...[10, 30, 50, 20].map((right, at) =>
    boardRunOf({
      model: `m/${'abcd'.charAt(at)}`,
      benchmark: 'errors',
      lowerIsBetter: true,
      values: ones(right),
    }),
  ),
  ...[10, 40, 50, 20].map((right, at) =>
    boardRunOf({ model: `m/${'abcd'.charAt(at)}`, benchmark: 'third', values: ones(right) }),
  ),
  boardRunOf({ model: 'm/a', benchmark: 'alone', values: ones(20) }),
  ...[10, 40].map((right, at) =>
    boardRunOf({
      model: `m/${'ab'.charAt(at)}`,
      benchmark: 'mystery',
      lowerIsBetter: 'unknown',
      values: ones(right),
    }),
  ),
]
const board = makeBoard('s', runs)
const values = runs.flatMap(({ name, benchmark, model: { deployment }, vector }) =>
  vector === undefined ? [] : [{ run: name, benchmark: benchmark.name, deployment, vector }],
)
/** What each answer took: so many calls by the run’s place, one of them without a time. */
const spentOf = (at: number) => [
  {
    deployment: '',
    calls: at + 1,
    inputTokens: at === 5 ? null : 100,
    outputTokens: at === 5 ? null : 10,
    seconds: 2 * at,
    timed: at,
    usd: at === 5 ? null : 0.5,
  },
]
const suite: SiteSuite = {
  board,
  values,
  runs: runs.map(({ name, model, benchmark }, at) => ({
    facts: { name, model, benchmark, spent: spentOf(at) } as unknown as RunFacts,
  })),
}
const data = dataOf(suite)
const chunksIn = (of: SiteSuite): ReadonlyMap<string, BenchmarkValues> =>
  new Map(
    [...valuesFiles(of)].map(({ text }) => {
      const [key, value] = JSON.parse(`[${text.slice('__chunk('.length, -');\n'.length)}]`) as [
        string,
        BenchmarkValues,
      ]
      return [key, value] as const
    }),
  )
const rankedIn = (of: SiteSuite) => {
  const all = dataOf(of)
  const chunks = chunksIn(of)
  return (
    only: readonly string[],
    alter: (values: BenchmarkValues) => BenchmarkValues = (same) => same,
  ): TaskData => {
    const columns = chosenColumns(all, { ...DEFAULT_STATE, only: only.join(' ') })
    const loaded = columns.map(({ index, values: key = '' }) => {
      const own = chunks.get(key)
      if (own === undefined) throw new RangeError('its values are at hand')
      return { index, values: alter(own) }
    })
    return finish(ownTask(all, loaded, (column) => testsOfColumn(all, column)))
  }
}
const rankedOver = rankedIn(suite)

describe('a set of the reader’s own', () => {
  test.each([[['bench', 'errors']], [['third', 'alone', 'mystery']]])(
    'of %s is ranked as a report on it would',
    (only) => {
      const part = boardOfTask(board, only)
      const wanted = boardUncertainty(part, values).map(({ rank }) => rankData(rank))
      expect(rankedOver(only).ranks).toEqual(wanted)
      expect(wanted.some((rank) => rank !== 0 && rank[2] !== null)).toBe(true)
    },
  )

  test('is tested by means where one of two models has several trials, whatever a third has', () => {
    const some = [50, 30, 28].map((right, at) =>
      boardRunOf({ model: `m/${'abc'.charAt(at)}`, values: ones(right), trials: at === 2 ? 2 : 1 }),
    )
    const own = some.flatMap(({ name, benchmark, model: { deployment }, vector }) =>
      vector === undefined ? [] : [{ run: name, benchmark: benchmark.name, deployment, vector }],
    )
    const part = { board: makeBoard('s', some), values: own, runs: [] }
    const all = dataOf(part)
    const [column] = columnTests(part.board, own)
    const loaded = chunksIn(part).get(all.columns[0]?.values ?? '')
    const tests = loaded && testsOfColumn(all, { index: 0, values: loaded })
    const pairs = boardPairs(part.board, own)[0]?.pairs ?? []
    expect(pairs.map(({ test: kind }) => kind)).toEqual(['mid-p', 't', 't'])
    const rows = part.board.rows.map(({ model }) => model.deployment)
    for (const { a, b, p } of pairs) {
      const at = [rows.indexOf(a), rows.indexOf(b)] as const
      expect([column?.of(...at).p, tests?.of(...at).p]).toEqual([p, p])
    }
  })

  test('has averages of models of which two alone are ranked on a benchmark', () => {
    const some = [50, 30, 28, 40, 20].map((right, at) =>
      boardRunOf({
        model: `m/${'abcab'.charAt(at)}`,
        benchmark: at < 3 ? 'bench' : 'pair',
        values: ones(right),
      }),
    )
    const own = some.flatMap(({ name, benchmark, model: { deployment }, vector }) =>
      vector === undefined ? [] : [{ run: name, benchmark: benchmark.name, deployment, vector }],
    )
    const part = makeBoard('s', some)
    const told = withUncertainty(part, boardUncertainty(part, own)).rows
    const wanted = told.map(({ averageInterval: interval }) =>
      interval === null ? 0 : [nearly(interval.low), nearly(interval.high)],
    )
    expect(rankedIn({ board: part, values: own, runs: [] })(['bench', 'pair']).averages).toEqual(wanted)
    expect(wanted.map((each) => each !== 0)).toEqual([true, true, false])
  })

  test('leaves out the runs that the board leaves out', () => {
    const parts = [
      ['a', 1, 50],
      ['b', 1, 20],
      ['c', 1, 30],
      ['d', 1, 30],
      ['a', 2, 3],
      ['b', 2, 58],
    ] as const
    const some = parts.map(([model, part, right]) =>
      boardRunOf({ model, name: `bench:part=${part},model=${model}`, values: ones(right) }),
    )
    const own = some.flatMap(({ name, benchmark, model: { deployment }, vector }) =>
      vector === undefined ? [] : [{ run: name, benchmark: benchmark.name, deployment, vector }],
    )
    const part = makeBoard('s', some)
    const wanted = boardUncertainty(part, own).map(({ rank }) => rankData(rank))
    expect(rankedIn({ board: part, values: own, runs: [] })(['bench']).ranks).toEqual(wanted)
    expect(part.rows[0]?.cells[0]).toMatchObject({ runs: ['bench:part=1,model=a'], place: { rank: 1 } })
  })

  test('is not ranked where a ranked run’s values are missing, nor where nothing compares two', () => {
    const row = board.rows.findIndex(({ label }) => label === 'm/b')
    const without = (all: BenchmarkValues): BenchmarkValues => ({
      ...all,
      scenarios: all.scenarios.map((each) => ({
        ...each,
        values: each.values.map((own, at) => (at === row ? 0 : own)),
      })),
    })
    expect(rankedOver(['errors', 'third'], without).ranks).toEqual([0, 0, 0, 0])
    expect(rankedOver(['alone', 'mystery']).ranks).toEqual([0, 0, 0, 0])
  })

  test('takes what its benchmarks’ runs took together, where all of them tell', () => {
    // Values of nobody: nothing is ranked, which takes longest.
    const bare = (all: BenchmarkValues): BenchmarkValues => ({ ...all, scenarios: [] })
    const of = (only: readonly string[]): ReadonlyMap<string, unknown> => {
      const { spent } = rankedOver(only, bare)
      return new Map(data.models.map(({ key }, at) => [key, spent[at]]))
    }
    // Runs 0 and 4: six calls for a dollar, four of them in 8 s.
    expect(of(['bench', 'errors']).get('m/a')).toEqual([(1 / 6) * 1000, 8 / 4, 1, 200, 20, 6])
    // Of run 5 neither price nor tokens are known.
    expect(of(['bench', 'errors']).get('m/b')).toEqual([null, 12 / 6, null, null, null, 8])
    // The first run was not timed.
    expect(of(['bench']).get('m/a')).toEqual([500, null, 0.5, 100, 10, 1])
    expect(of(['bench', 'alone']).get('m/b')).toBe(0)
    const untold = (all: BenchmarkValues): BenchmarkValues => ({
      ...bare(all),
      spent: all.spent.map((): SpentSum | 0 => 0),
    })
    expect(rankedOver(['bench'], untold).spent).toEqual([0, 0, 0, 0])
  })

  test('names the chunks of its benchmarks, and none where one has no values', () => {
    const columns = data.columns.filter(({ key }) => key !== 'mystery')
    expect(chunksOf(columns)).toHaveLength(4)
    const [first] = columns
    if (first === undefined) throw new RangeError('there are columns')
    const { values: _, ...bare } = first
    expect(chunksOf([...columns, bare])).toBeUndefined()
  })
})

describe('the details of a model', () => {
  const view = viewOf(board)
  const factsOf = (at: string): ReadonlyMap<string, string> =>
    new Map(detailsOf(view, at, { root: '', linkOf: () => undefined })?.facts)
  const linesOf = (at: string) =>
    detailsOf(view, at, { root: '', linkOf: () => undefined })?.table.map(({ label, value, detail }) => [
      label,
      value,
      detail,
    ])

  test('say on how many it is ranked, and which of the compared ones it lacks', () => {
    expect(factsOf('m/d win').get('Ranked in')).toBe('2 of 3 benchmarks')
    expect(factsOf('m/d win').get('Place by win rate')).toBe('none: not ranked in every benchmark')
    expect(linesOf('m/d win')?.map(([label]) => label)).toEqual(['bench', 'alone'])
    expect(linesOf('m/d win')?.[1]).toEqual(['alone', '–', 'not run'])
    expect(linesOf('m/d win')?.[0]?.[2]).toContain('unranked: 66.6 % measured')
  })

  test('say what is better where less is, its place, and what was not measured', () => {
    expect(factsOf('m/a benchmark:errors').get('Better')).toBe('lower')
    expect(factsOf('m/a benchmark:bench').has('Better')).toBe(false)
    expect(factsOf('m/a benchmark:errors').get('Place')).toBe('first')
    expect(factsOf('m/b benchmark:errors').has('Place')).toBe(false)
    const tied = viewOf(
      makeBoard(
        's',
        ['x', 'y', 'z'].map((model, at) => boardRunOf({ model, values: [1, at < 2 ? 1 : 0] })),
      ),
    )
    const facts = detailsOf(tied, 'x benchmark:bench', { root: '', linkOf: () => undefined })?.facts
    expect(new Map(facts).get('Place')).toBe('first, shared')
    const win = detailsOf(tied, 'x win', { root: '', linkOf: () => undefined })?.facts
    expect(new Map(win).get('Place by win rate')).toBe('1, shared')
  })

  test('say what answers took, and which share of them has no score', () => {
    const spent = { calls: 100, inputTokens: 2000, outputTokens: 50, latency: null, usd: 0.5 }
    const told = viewOf({
      ...board,
      rows: board.rows.map((row) => ({ ...row, spent: row.label === 'm/a' ? spent : null })),
    })
    const facts = (model: string) =>
      new Map(detailsOf(told, `${model} cost`, { root: '', linkOf: () => undefined })?.facts)
    expect([...facts('m/a')]).toEqual([
      ['Cost of 1,000 answers', '$5.00'],
      ['Cost of all answers', '$0.50'],
      ['Tokens', '2.00\u202Fk read, 50 written'],
      ['Latency, mean of calls', 'not known'],
      ['Answers without a score', '0.0 %'],
    ])
    const untold = { ...spent, inputTokens: null, outputTokens: null }
    const silent = viewOf({ ...board, rows: board.rows.map((row) => ({ ...row, spent: untold })) })
    const ofSilent = detailsOf(silent, 'm/a cost', { root: '', linkOf: () => undefined })?.facts
    expect(new Map(ofSilent).get('Tokens')).toBe('not known')
    const timed = viewOf({
      ...board,
      rows: board.rows.map((row) => ({ ...row, spent: { ...spent, latency: 1.5 } })),
    })
    const ofTimed = detailsOf(timed, 'm/a cost', { root: '', linkOf: () => undefined })?.facts
    expect(new Map(ofTimed).get('Latency, mean of calls')).toBe('1.5 s')
    // 30 of 90 of one benchmark, of 60 of each other none.
    expect([...facts('m/d')]).toEqual([
      ['Cost and time', 'the runs do not tell'],
      ['Answers without a score', '14.3 %'],
    ])
  })
})
