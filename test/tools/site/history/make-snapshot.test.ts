import { describe, expect, test } from 'vitest'
import { makeBoard } from '../../../../targets/board/board.ts'
import type { BenchmarkAbout } from '../../../../tools/site/about/benchmark-about.ts'
import type { ModelAbout } from '../../../../tools/site/about/model-about.ts'
import { makeSnapshot } from '../../../../tools/site/history/make-snapshot.ts'
import type { RunFacts, SiteSuite } from '../../../../tools/site/site.ts'
import { boardRunOf } from '../../../targets/aggregate/board-runs.ts'
import { withRanks } from '../pages/leaderboard/views.ts'

describe('what a release keeps of a suite', () => {
  const range = { low: 1, high: 5 }
  const runs = [
    boardRunOf({ model: 'm/a', values: [1, 1, 0, 1] }),
    boardRunOf({ model: 'm/b', values: [1, 0, 0, 0] }),
    boardRunOf({ model: 'm/a', benchmark: 'rated', isShare: false, isBinary: false, range, values: [4, 5] }),
    boardRunOf({
      model: 'm/b',
      benchmark: 'rated',
      isShare: false,
      isBinary: false,
      range,
      values: [2],
      evaluated: 4,
    }),
    boardRunOf({
      model: 'm/a',
      benchmark: 'open',
      lowerIsBetter: 'unknown',
      isShare: false,
      isBinary: false,
      values: [40],
    }),
  ]
  const about = {
    benchmark: 'bench',
    data: [
      {
        parts: [
          ['data', 'x.csv'],
          ['attributes', 'sex'],
          ['prompt', 'p.txt'],
        ],
      },
    ],
    measures: [],
    jury: {
      judges: [
        { name: 'gpt', deployment: 'openai/gpt' },
        { name: 'same', deployment: 'same' },
      ],
    },
    errata: [
      { id: 'E1', corrected: 2 },
      { id: 'E2', corrected: 0 },
    ],
  }
  const suiteOf = (
    parts: readonly (readonly string[])[] = about.data[0]?.parts ?? [],
    trials = '1',
  ): SiteSuite => ({
    board: makeBoard('s', runs),
    runs: runs.map((run) => ({
      facts: {
        name: run.name,
        source: 'record',
        made: { target: 'key', rows: 'rows' },
        spec: [
          ['Served as', 'v2\nv1'],
          ['Train trials', trials],
          ['Temperature', '0'],
          ['Notes', 'n'],
        ],
      } as unknown as RunFacts,
    })),
    benchmarks: [{ ...about, data: [{ parts }] } as unknown as BenchmarkAbout],
    models: [{ deployment: 'm/b', price: { input: 3, output: 4 } } as unknown as ModelAbout],
  })
  const kept = makeSnapshot(suiteOf())

  test('are widths of scales, the metric in words, and scores of ranked cells alone', () => {
    expect(kept.benchmarks.map(({ measure }) => measure)).toEqual([
      expect.stringMatching(/, from 0 to 1, more is better$/),
      expect.stringMatching(/, from 1 to 5, more is better$/),
      expect.stringMatching(/, without ends, no direction$/),
    ])
    expect(kept.benchmarks.map(({ name, width, lowerIsBetter }) => [name, width, lowerIsBetter])).toEqual([
      ['bench', 1, false],
      ['rated', 4, false],
      ['open', null, undefined],
    ])
    expect(
      kept.models.map(({ deployment, place, price, cells }) => [
        deployment,
        place,
        price,
        cells.map((own) => own && [own.score, own.n]),
      ]),
    ).toEqual([
      [
        'm/a',
        1,
        null,
        [
          [0.75, 4],
          [4.5, 2],
          [40, 1],
        ],
      ],
      ['m/b', 2, { input: 3, output: 4 }, [[0.25, 4], [null, 1], null]],
    ])
  })

  test('are the conditions: judges with where they were asked, versions in order, corrected errata', () => {
    expect(kept.models[0]?.cells[0]).toMatchObject({
      jury: ['gpt (openai/gpt)', 'same'],
      served: ['v1', 'v2'],
      errata: ['E1'],
    })
    const runsOf = (trials: string) => makeSnapshot(suiteOf(undefined, trials)).models[0]?.cells[0]?.runs
    const plain = { rows: 'rows', areMeans: false, kept: { record: 'record', target: 'key' } }
    expect(runsOf('1')).toMatchObject([plain])
    expect(runsOf('3')).toMatchObject([{ ...plain, areMeans: true }])
    const conditions = (suite: SiteSuite) => {
      const { data, protocol } = makeSnapshot(suite).models[0]?.cells[0] ?? {}
      return [data === kept.models[0]?.cells[0]?.data, protocol === kept.models[0]?.cells[0]?.protocol]
    }
    const [data, attributes, prompt] = about.data[0]?.parts ?? []
    const other = (part: readonly string[] | undefined) => [part?.[0] ?? '', 'other']
    expect(conditions(suiteOf([other(data), attributes ?? [], prompt ?? []]))).toEqual([false, true])
    // What scores are shown by asks nobody anything.
    expect(conditions(suiteOf([data ?? [], other(attributes), prompt ?? []]))).toEqual([true, true])
    expect(conditions(suiteOf([data ?? [], attributes ?? [], other(prompt)]))).toEqual([true, false])
  })
})

test('a release keeps the interval of a win rate on its own benchmarks, and a share’s own scale', () => {
  const percent = boardRunOf({
    model: 'm/a',
    isBinary: false,
    range: { low: 0, high: 100 },
    values: [40, 60],
  })
  const told = withRanks(makeBoard('s', [percent]), [[1, 1, 1]])
  const rows = told.rows.map((row) => ({
    ...row,
    rank: row.rank && {
      ...row.rank,
      winRate: { low: 0.25, high: 0.5 },
      winRateLikeThese: { low: 0, high: 1 },
    },
  }))
  const { benchmarks, models } = makeSnapshot({ board: { ...told, rows }, runs: [] })
  expect([benchmarks[0]?.width, models[0]?.interval]).toEqual([100, { low: 0.25, high: 0.5 }])
})

test('a release keeps values by instance of public benchmarks alone, of others where they are kept', () => {
  const runs = (['public', 'private'] as const).map((access) =>
    boardRunOf({ benchmark: `${access}-bench`, access, values: [1, 0] }),
  )
  const values = (of: string) => ({
    instances: [0, 1].map((at) => ({ id: `${of}-${at}`, digest: 'd', references: 'r' })),
    values: Float64Array.of(1, 0),
    unread: new Map(),
  })
  const suite: SiteSuite = {
    board: makeBoard('s', runs),
    runs: runs.map(({ name }) => ({
      facts: {
        name,
        source: 'record',
        made: { target: 'key', rows: 'rows' },
        spec: [],
      } as unknown as RunFacts,
    })),
    runValues: new Map(runs.map(({ name, benchmark }) => [name, values(benchmark.name)])),
  }
  const snapshot = makeSnapshot(suite)
  const keptOf = (at: number) => snapshot.models[0]?.cells[at]?.runs?.[0]
  expect([keptOf(0)?.told?.instances, keptOf(0)?.kept]).toEqual([0, undefined])
  expect([keptOf(1)?.told, keptOf(1)?.kept]).toEqual([undefined, { record: 'record', target: 'key' }])
  expect(JSON.stringify(snapshot)).toContain('public-bench-1')
  expect(JSON.stringify(snapshot)).not.toContain('private-bench-1')
  expect(JSON.stringify(makeSnapshot(suite, () => true))).toContain('private-bench-1')
})
