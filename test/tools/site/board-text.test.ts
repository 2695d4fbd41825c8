import { describe, expect, test } from 'vitest'
import { makeBoard } from '../../../targets/board/board.ts'
import { boardText } from '../../../tools/site/board-text.ts'
import type { SiteSuite } from '../../../tools/site/site.ts'
import { boardRunOf } from '../../targets/aggregate/board-runs.ts'
import { oddSuite, suiteOfRuns } from './odd-suites.ts'

const board = makeBoard('demo', [
  boardRunOf({ model: 'm/a', values: [1, 1, 0, 1] }),
  boardRunOf({ model: 'm/b', values: [0, 0, 0, 1] }),
  boardRunOf({ model: 'm/c', values: [1, 0], evaluated: 3 }),
  boardRunOf({
    model: 'm/a',
    benchmark: 'errors',
    metric: 'mistakes',
    lowerIsBetter: true,
    isShare: false,
    isBinary: false,
    values: [10, 12],
  }),
  boardRunOf({
    model: 'm/b',
    benchmark: 'errors',
    metric: 'mistakes',
    lowerIsBetter: true,
    isShare: false,
    isBinary: false,
    values: [2, 3],
  }),
])
describe('the printed board', () => {
  test('is aligned, with intervals, places and a note of what is not ranked', () => {
    expect(boardText({ board, runs: [] }, { width: 100, colour: false })).toMatchInlineSnapshot(`
      "demo

       #  Model  Win rate                 bench                     errors
      1=  m/a       0.500   0.750 (0.301–0.954)  11.000 (−1.706 to 23.706)
      1=  m/b       0.500   0.250 (0.046–0.699)    2.500 (−3.853 to 8.853)
          m/c           –  ~0.500 (0.095–0.905)                          –

      ~ m/c, bench: unranked: 66.6 % measured
        ranked from 99.0 % of requests measured, and of judgements read: coverage_floor in medmake.yaml, or in benchmark.yaml

      2 models share the best win rate on demo.
      2 models ranked over 2 benchmarks. How sure the order is was not tested for these benchmarks: nothing says who is tied. Too few benchmarks to speak of others like them. Not ranked: m/c (0 of 2 benchmarks).
      m/a and m/b share the best win rate of 2 allowed models. How sure that is was not tested for these benchmarks, so none is recommended."
    `)
  })

  test('ends with who is first, how sure that is, whom to take and what is missing', () => {
    const suite = suiteOfRuns(
      'ward',
      ['m/a', 'm/b'].flatMap((model, at) =>
        ['x', 'y'].map((benchmark) => ({
          model,
          benchmark,
          values: Array.from({ length: 40 }, (_, place) => Number(place % 8 > 4 * at)),
        })),
      ),
    )
    const [answer, last] = [
      `m/a is first on ward, by average.
2 models ranked over 2 benchmarks. Too few benchmarks to speak of others like them. No clinician checked the jury of Benchmark x here. 1 of 2 subcategories of medical work are asked about.
Take m/a: the best of 2 allowed models. Its chance to be first of all ranked is > 0.99.`,
      suite.board.benchmarks[0],
    ]
    const judged: SiteSuite = {
      ...suite,
      board: {
        ...suite.board,
        benchmarks: suite.board.benchmarks.map((each) =>
          each === last ? { ...each, category: 'Notes', subcategory: 'Letters' } : each,
        ),
        rows: suite.board.rows.map((row) => ({
          ...row,
          cells: row.cells.map((cell, at) => ({
            ...cell,
            ...(at === 0 ? { judgements: { wanted: 40, read: 40 } } : {}),
          })),
        })),
      },
      taxonomy: {
        categories: [
          { name: 'Notes', subcategories: ['Letters', 'Plans'].map((name) => ({ name, tasks: [] })) },
        ],
      },
    }
    const text = boardText(judged, { width: 100, colour: false })
    expect(text.split('\n\n').at(-1)).toBe(answer)
    expect(text).toContain('1  m/a    1.000 (1.000–1.000)  0.875 (0.782–0.932)      1  0.875 (0.739–0.945) a')
    // As soon as somebody has.
    const [row, ...others] = judged.board.rows
    const calibrated = { value: 0.5, interval: null, labels: 3 }
    const rows = [
      { ...row, cells: row?.cells.map((cell) => ({ ...cell, calibrated })) },
      ...others,
    ] as typeof judged.board.rows
    const checked = boardText({ ...judged, board: { ...judged.board, rows } }, { width: 100, colour: false })
    expect(checked).not.toContain('No clinician')
  })

  test('says of who has no place whether it was not run, or is not ranked', () => {
    const of = (model: string, benchmark: string, evaluated = 4) =>
      boardRunOf({ model, benchmark, values: [1, 0, 1, 1], evaluated })
    const text = (...runs: readonly ReturnType<typeof of>[]): readonly string[] => {
      const placed = ['m/a', 'm/b'].flatMap((model) => ['x', 'y', 'z'].map((name) => of(model, name)))
      const board = makeBoard('ward', [...placed, ...runs])
      return boardText({ board, runs: [] }, { width: 100, colour: false })
        .split('\n')
        .filter((line) => line.startsWith('Without a place'))
    }
    const [unrun, unranked] = [
      [of('m/c', 'x'), of('m/c', 'y')],
      ['x', 'y', 'z'].map((name) => of('m/d', name, name === 'x' ? 8 : 4)),
    ]
    expect(text()).toEqual([])
    expect(text(...unrun, ...unranked)).toEqual([
      'Without a place, as benchmarks are missing: m/c.',
      'Without a place, as scores are unranked: m/d.',
    ])
    expect(text(of('m/c', 'x'), of('m/c', 'y', 8))).toEqual([
      'Without a place, as benchmarks are missing and scores are unranked: m/c.',
    ])
  })

  test('marks of many models who is not told apart from the best, where letters would say nothing', () => {
    const of = (models: number): string =>
      boardText(
        suiteOfRuns(
          'ward',
          Array.from({ length: models }, (_, at) => ({
            model: `m/${String(at).padStart(2, '0')}`,
            benchmark: 'x',
            values: Array.from({ length: 200 }, (__, place) => Number((place * 7) % 40 > at)),
          })),
        ),
        { width: 100, colour: false },
      )
    expect(of(15)).toMatch(/^15  m\/14 .* n$/m)
    const marked = [...of(16).matchAll(/^ ?\d+  m\/(\d+).*\*$/gm)].map(([, at]) => at)
    expect(marked).toEqual(['00', '01'])
    expect(of(16)).toMatch(
      /\*: first of its column, or not told apart from it.*in a column without any nobody is told apart from it/s,
    )
  })

  test('tells long names apart, in their own script, and spells out what could steer a terminal', () => {
    const { board, runs } = oddSuite('long names')
    const text = boardText(
      { board: { ...board, suite: 'ward\u001B[2J' }, runs },
      { width: 100, colour: false },
    )
    const names = [...text.matchAll(/^ *\d+=?  (an-\S+)/gm)].map(([, name = '']) => name)
    expect([names.length % 4, new Set(names).size]).toEqual([0, 4])
    for (const name of names) expect(name.length).toBeLessThanOrEqual(32)
    expect(text).not.toContain('U+2068')
    expect(text).not.toContain('\u001B')
  })

  test('goes on below where the terminal is too narrow, models repeated', () => {
    const lines = boardText({ board, runs: [] }, { width: 44, colour: false }).split('\n')
    const table = lines.slice(0, lines.indexOf('~ m/c, bench: unranked: 66.6 % measured'))
    expect(Math.max(...table.map(({ length }) => length))).toBeLessThanOrEqual(44)
    expect(table.filter((line) => line.includes('m/a')).length).toBe(2)
  })

  test('has colours only when asked', () => {
    expect(boardText({ board, runs: [] }, { width: 100, colour: true })).toContain('\u001B[')
    expect(boardText({ board, runs: [] }, { width: 100, colour: false })).not.toContain('\u001B[')
  })
})
