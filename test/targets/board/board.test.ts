import { describe, expect, test } from 'vitest'
import { isRanked } from '../../../targets/board/board-cell.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { boardMetric } from '../../../targets/runs/board-metric.ts'
import { place, placeText } from '../../../targets/compare/ranks/rank-place.ts'
import { summarized, sampleOf } from '../../../targets/runs/board-sample.ts'
import { coveredShare } from '../../../targets/record/coverage.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import { boardText } from '../../../tools/site/board-text.ts'
import { notInAverages, notInWinRates } from '../../../tools/site/content/left-out.ts'
import { wilson } from '../../../targets/statistics/intervals/wilson.ts'
import { boardRunOf, perInstance } from '../aggregate/board-runs.ts'

const ones = (count: number, of: number): number[] =>
  Array.from({ length: of }, (_, i) => (i < count ? 1 : 0))

describe('a cell', () => {
  test('shows the mean with Wilson’s interval for a metric that is 0 or 1', () => {
    const [row] = makeBoard('s', [boardRunOf({ values: ones(3, 10) })]).rows
    expect(row?.cells[0]).toMatchObject({ value: 0.3, n: 10, interval: wilson(3, 10, 0.95) })
  })

  test('has an interval of some width within the scale, even when every score is the same', () => {
    const run = boardRunOf({
      metric: 'jury_score',
      isShare: false,
      isBinary: false,
      range: { low: 0, high: 10 },
      values: [1, 1, 1],
    })
    const [row] = makeBoard('s', [run]).rows
    const { low, high } = row?.cells[0]?.interval ?? { low: NaN, high: NaN }
    expect([low > 0, low < 1, high > 1, high < 10]).toEqual([true, true, true, true])
    expect(row?.cells[0]?.intervalMethod).toBe('Gaffke')
  })

  test('goes by its instances where HELM counts sub-splits the same', () => {
    const run = boardRunOf({ values: ones(1, 10) })
    const stats = [
      { name: { name: 'exact_match', split: 'test', subSplit: 'few' }, count: 1, sum: 1 },
      { name: { name: 'exact_match', split: 'test', subSplit: 'many' }, count: 1, sum: 0 },
    ]
    const [row] = makeBoard('s', [{ ...run, stats }]).rows
    expect(row?.cells[0]).toMatchObject({ value: 0.1, score: 0.1, interval: wilson(1, 10, 0.95) })
  })

  test.each([NaN, Infinity, -Infinity])('takes %d in HELM’s files for no measurement', (value) => {
    const { requests, unusable, vector } = sampleOf(perInstance('exact_match', [1, value, 0]), {
      name: 'exact_match',
      split: 'test',
    })
    expect([requests, unusable, vector.ids.length, [...vector.values]]).toEqual([2, 1, 3, [1, NaN, 0]])
    const run = boardRunOf({ values: [1, value, 0], evaluated: 3 })
    const [row] = makeBoard('s', [{ ...run, coverage: { evaluated: 3, measured: 2 } }]).rows
    expect(row?.cells[0]).toMatchObject({ value: 0.5, score: 0.5, n: 2, asked: 3, place: null })
  })

  test('is the unweighted mean of several runs, whatever their sizes', () => {
    const runs = [
      boardRunOf({ name: 'b:x=1', values: ones(0, 100) }),
      boardRunOf({ name: 'b:x=2', values: ones(4, 4) }),
    ]
    const cell = makeBoard('s', runs).rows[0]?.cells[0]
    expect(cell).toMatchObject({ value: 0.5, n: 104, runs: ['b:x=1', 'b:x=2'] })
    // Of four answers, all right, as few as 2.5 % ** (1 / 4) may be right, whatever the hundred say.
    expect(cell?.interval?.low).toBeCloseTo(0.025 ** (1 / 4) / 2, 12)
    expect(cell?.interval?.high).toBeGreaterThan(0.5)
    expect(cell?.interval?.high).toBeLessThan(0.65)
  })

  test('does not depend on the order in which runs come', () => {
    const runs = [0.1, 0.2, 0.3].map((value, index) =>
      boardRunOf({ name: `b:x=${index}`, isBinary: false, values: [value, value / 3] }),
    )
    expect(makeBoard('s', [...runs].reverse())).toEqual(makeBoard('s', runs))
  })

  test('is shown and not ranked when more than one request in a hundred has no value', () => {
    const lost = boardRunOf({
      values: ones(50, 98),
      evaluated: 100,
      failures: [
        { stage: 'completions', code: 'models/refused' },
        { stage: 'completions', code: 'models/refused' },
      ],
    })
    const other = boardRunOf({ model: 'b/other', values: ones(1, 100) })
    const board = makeBoard('s', [lost, other])
    const cell = board.rows.find(({ label }) => label === 'a/model')?.cells[0]
    expect(cell && coveredShare(cell)).toBe(0.98)
    expect(cell && isRanked(cell)).toBe(false)
    expect(cell).toMatchObject({
      value: 50 / 98,
      place: null,
      failures: [{ stage: 'completions', code: 'models/refused', count: 2 }],
    })
    expect(board.winRateColumns).toEqual([])
    expect(board.rows.every(({ winRate }) => winRate === null)).toBe(true)
  })

  test('adds up the causes of its runs exactly', () => {
    const run = { values: [1], causes: { truncated: 1, refused: 2 } }
    const cell = makeBoard('s', [
      boardRunOf({ ...run, name: 'bench:a=1' }),
      boardRunOf({ ...run, name: 'bench:a=2', causes: { truncated: 4 } }),
    ]).rows[0]?.cells[0]
    expect(cell?.causes).toEqual({ refused: 2, truncated: 5 })
  })

  test('is ranked where its coverage reaches the floor of its benchmark', () => {
    const cell = (coverageFloor: number) =>
      makeBoard('s', [boardRunOf({ values: ones(1, 97), evaluated: 100, coverageFloor })]).rows[0]?.cells[0]
    expect([0.97, 0.971].map((floor) => cell(floor)).map((each) => each && isRanked(each))).toEqual([
      true,
      false,
    ])
  })

  test('is ranked with exactly 99 % measured', () => {
    const cell = makeBoard('s', [boardRunOf({ values: ones(1, 99), evaluated: 100 })]).rows[0]?.cells[0]
    expect(cell && isRanked(cell)).toBe(true)
  })

  test('ties with another whose mean differs from it by what rounding passed the scale’s end', () => {
    const best = (model: string, value: number) =>
      boardRunOf({ model, isBinary: false, values: [value, value] })
    const { rows } = makeBoard('s', [best('a', 1), best('b', 1.000_000_1), best('c', 0.5)])
    expect(rows.map(({ cells: [cell] }) => [cell?.score, cell?.place && placeText(cell.place)])).toEqual([
      [1, '1='],
      [1, '1='],
      [0.5, '3'],
    ])
    // As HELM has it.
    expect(rows[1]?.cells[0]?.value).toBe(1.000_000_1)
    expect(rows[0]?.cells[0]?.groups).toBe(rows[1]?.cells[0]?.groups)
  })

  test('is placed by what could be read, whatever a default for the rest makes of its mean', () => {
    const lost = (values: readonly number[], unread: number, name?: string) => {
      const run = boardRunOf({
        model: 'm/lost',
        values,
        coverageFloor: 0.5,
        ...(name === undefined ? {} : { name }),
      })
      const vector = {
        ids: values.map((_, at) => `id${at}`),
        values: Float64Array.from(values, (value, at) => (at < unread ? NaN : value)),
      }
      const scale = { isBinary: true, range: { low: 0, high: 1 } }
      return { ...run, ...summarized({ requests: values.length, vector }, scale, 1) }
    }
    // 8 of 10 are right by default; of what was read 2 of 4.
    const run = lost(ones(8, 10), 6)
    const other = boardRunOf({ model: 'm/other', values: ones(6, 10), coverageFloor: 0.5 })
    const { rows } = makeBoard('s', [run, other])
    expect(rows.map(({ label, place: own }) => [label, own && placeText(own)])).toEqual([
      ['m/other', '1'],
      ['m/lost', '2'],
    ])
    expect(rows[1]?.cells[0]).toMatchObject({
      value: 0.8,
      score: 0.5,
      n: 4,
      asked: 10,
      bounds: { low: 0.2, high: 0.8 },
    })
    // Of two runs, each counts the same: a half, and three quarters of the four that were read.
    const second = lost([...ones(6, 6), 1, 1, 1, 0], 6, 'bench:x=2,model=m_lost')
    expect(makeBoard('s', [run, second]).rows[0]?.cells[0]).toMatchObject({ n: 8, asked: 20, score: 0.625 })
    const calibrated = { value: 0.4, interval: null, labels: 3 }
    const judged = { ...run, calibrated }
    expect(makeBoard('s', [judged]).rows[0]?.cells[0]?.calibrated).toEqual(calibrated)
    expect(makeBoard('s', [judged, second]).rows[0]?.cells[0]?.calibrated).toBeNull()
    // Where one run withholds its values, and its mean with them, nothing stands for both.
    const { vector: _, ...withheld } = second
    const unknown = {
      ...withheld,
      sample: { ...second.sample, found: { ...second.sample.found, mean: null } },
    }
    expect(makeBoard('s', [run, unknown]).rows[0]?.cells[0]?.score).toBeNull()
  })

  test('is empty where a model was not run', () => {
    const board = makeBoard('s', [
      boardRunOf({ values: [1] }),
      boardRunOf({ model: 'b/other', benchmark: 'second', values: [1] }),
    ])
    expect(board.rows[0]?.cells[1]).toMatchObject({ value: null, runs: [], n: 0, evaluated: 0 })
  })
})

describe('win rates and places', () => {
  test('count ties half and compare only columns that say what is better', () => {
    const runs = (['a', 'b', 'c'] as const).flatMap((model, index) => [
      boardRunOf({ model, values: ones(index === 2 ? 9 : 5, 10) }),
      boardRunOf({ model, benchmark: 'errors', lowerIsBetter: true, isShare: false, values: [index] }),
      boardRunOf({ model, benchmark: 'mystery', lowerIsBetter: 'unknown', isShare: false, values: [index] }),
    ])
    const board = makeBoard('s', runs)
    expect(board.winRateColumns).toEqual(['bench', 'errors'])
    expect(board.rows.map(({ label, winRate }) => [label, winRate])).toEqual([
      ['a', 0.625],
      ['c', 0.5],
      ['b', 0.375],
    ])
    const places = board.rows.map(({ cells }) => cells.map((cell) => cell.place && placeText(cell.place)))
    expect(places).toEqual([
      ['2=', '1', null],
      ['1', '3', null],
      ['2=', '2', null],
    ])
  })

  test('a last digit lost in summing thirds decides no place', () => {
    const values = { a: [0.25, 0.014, 1.4], b: [0.27, 0, 2.9], c: [0.29, 0, 1.2], d: [0.22, 0.014, 1] }
    const board = makeBoard(
      's',
      Object.entries(values).flatMap(([model, scores]) =>
        scores.map((score, index) =>
          boardRunOf({ model, benchmark: `b${index}`, isBinary: false, values: [score, score] }),
        ),
      ),
    )
    expect(board.rows.slice(0, 2).map((row) => [row.label, row.place && placeText(row.place)])).toEqual([
      ['a', '1='],
      ['b', '1='],
    ])
  })

  test('tell over how many columns a model’s win rate goes', () => {
    const board = makeBoard('s', [
      boardRunOf({ model: 'a', values: [1] }),
      boardRunOf({ model: 'b', values: [0] }),
      boardRunOf({ model: 'c', values: [0] }),
      boardRunOf({ model: 'a', benchmark: 'x', values: [1] }),
      boardRunOf({ model: 'b', benchmark: 'x', values: [0] }),
    ])
    expect(board.rows.map(({ label, winRateColumns }) => [label, winRateColumns])).toEqual([
      ['a', 2],
      ['b', 2],
      ['c', 1],
    ])
  })

  test('give no place to a model that lacks a compared column, however well it does elsewhere', () => {
    const board = makeBoard('s', [
      ...['b', 'c'].flatMap((model, index) => [
        boardRunOf({ model, values: [1 - index, 0] }),
        boardRunOf({ model, benchmark: 'x', values: [1 - index, 0] }),
      ]),
      boardRunOf({ model: 'a', values: [1, 1] }),
    ])
    expect(board.rows.map(({ label, winRate, place }) => [label, winRate, place?.rank])).toEqual([
      ['b', 0.75, 1],
      ['c', 0, 2],
      ['a', 1, undefined],
    ])
    const none = makeBoard('s', [
      ...['a', 'b'].map((model) => boardRunOf({ model, values: [1] })),
      ...['c', 'd'].map((model) => boardRunOf({ model, benchmark: 'x', values: [1] })),
    ])
    expect(none.rows.every((row) => row.place === null)).toBe(true)
  })

  test('equal values share the best place that any of them has', () => {
    const all = [3, 1, 3, undefined, 2]
    expect(all.map((value) => place(value, all, false)).map((found) => found && placeText(found))).toEqual([
      '1=',
      '4',
      '1=',
      null,
      '3',
    ])
    expect(place(1, all, true)).toEqual({ rank: 1, tied: false })
  })
})

describe('the average', () => {
  test('goes over shares of the scales and needs all of them', () => {
    const board = makeBoard('s', [
      boardRunOf({ model: 'a', values: ones(1, 2) }),
      boardRunOf({ model: 'a', benchmark: 'x', values: ones(1, 4) }),
      boardRunOf({ model: 'a', benchmark: 'jury', isShare: false, isBinary: false, values: [5, 4] }),
      boardRunOf({ model: 'b', values: ones(1, 2) }),
      boardRunOf({ model: 'c', values: ones(1, 2) }),
      boardRunOf({ model: 'c', benchmark: 'x', values: ones(2, 4) }),
      boardRunOf({ model: 'c', benchmark: 'jury', isShare: false, isBinary: false, values: [2, 1] }),
    ])
    expect(board.averageColumns).toEqual(['bench', 'x'])
    expect(board.rows.map(({ label, average }) => [label, average])).toEqual([
      ['a', 0.375],
      ['c', 0.5],
      ['b', null],
    ])
  })

  test('leaves out a column that win rates leave out, too, and the table says so', () => {
    const board = makeBoard(
      's',
      ['a', 'b'].flatMap((model) => [
        boardRunOf({ model, values: ones(1, 2) }),
        boardRunOf({ model, benchmark: 'x', values: ones(1, 4) }),
        boardRunOf({ model, benchmark: 'lost', values: [1], evaluated: 2 }),
        boardRunOf({
          model,
          benchmark: 'jury',
          metric: 'points',
          isShare: false,
          isBinary: false,
          values: [5, 4],
        }),
      ]),
    )
    expect(board.winRateColumns).toEqual(['bench', 'x', 'jury'])
    expect(board.averageColumns).toEqual(['bench', 'x'])
    expect(board.rows.map(({ average }) => average)).toEqual([0.375, 0.375])
    const text = boardText({ board, runs: [] }, { width: 120, colour: false })
    expect(text).toContain('Win rates leave out lost (fewer than two ranked scores).')
    expect(text).toContain(
      'Averages leave out lost (fewer than two ranked scores) and jury (its scale has no ends).',
    )
  })

  test('leaves out a column of which nobody says what is better, for that reason', () => {
    const board = makeBoard(
      's',
      ['a', 'b'].map((model) => boardRunOf({ model, lowerIsBetter: 'unknown', values: ones(1, 2) })),
    )
    expect(board.averageColumns).toEqual([])
    expect([...notInWinRates(board), ...notInAverages(board)]).toEqual([
      'bench (nobody says what is better)',
      'bench (nobody says what is better)',
    ])
  })

  test('of a board of one model goes over what it has, and tells what it lacks', () => {
    const board = makeBoard('s', [
      boardRunOf({ values: ones(1, 2) }),
      boardRunOf({ benchmark: 'x', values: ones(1, 4) }),
      boardRunOf({ benchmark: 'lost', values: [1], evaluated: 2 }),
    ])
    expect(board.rows[0]?.average).toBe(0.375)
    expect(boardText({ board, runs: [] }, { width: 120, colour: false })).toContain(
      'Averages leave out lost (its score is not ranked).',
    )
  })
})

describe('rows', () => {
  test('name the deployment where two would read the same', () => {
    const board = makeBoard('s', [
      boardRunOf({ deployment: 'here/model', values: [1] }),
      boardRunOf({ deployment: 'there/model', values: [0] }),
    ])
    expect(board.rows.map(({ label }) => label)).toEqual(['a/model [here/model]', 'a/model [there/model]'])
  })
})

describe('a main metric', () => {
  const spec = (className: string, args: readonly [string, string | readonly string[]][] = []) => ({
    className: `helm.benchmark.metrics.${className}`,
    args: new Map(args),
  })

  test('takes its direction and name from its metric object', () => {
    const jury = spec('llm_jury_metrics.LLMJuryMetric', [['metric_name', 'aci_bench_accuracy']])
    expect(boardMetric({ name: 'aci_bench_accuracy', split: 'test' }, [jury])).toEqual({
      name: 'aci_bench_accuracy',
      split: 'test',
      displayName: 'Jury score',
      description: expect.stringContaining('jury') as string,
      lowerIsBetter: false,
      isBinary: false,
    })
  })

  test('of a workspace has the scale that it tells', () => {
    const scales = [1, 100].map((most) => {
      const measure = { name: 'points', unit: 'share', least: 0, most, better: 'higher' as const }
      const told = new Map<string, PyValue>(Object.entries(measure))
      const object = { className: 'workspace.metrics.points', args: new Map([['measures', [told]]]) }
      return boardMetric({ name: 'points', split: 'test' }, [object]).range
    })
    expect(scales).toEqual([
      { low: 0, high: 1 },
      { low: 0, high: 100 },
    ])
  })

  test('that nobody knows has no direction', () => {
    const metric = boardMetric({ name: 'my_metric', split: 'test' }, [])
    expect(metric.lowerIsBetter).toBeUndefined()
    expect(metric).toMatchObject({ displayName: 'my_metric', isBinary: false })
  })
})
