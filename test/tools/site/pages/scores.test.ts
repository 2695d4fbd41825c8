import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { withSpending } from '../../../../targets/board/board-cost.ts'
import type { BoardPair } from '../../../../targets/board/board-pairs.ts'
import { makeBoard, type Board, type BoardRow } from '../../../../targets/board/board.ts'
import { meanInterval, nothingKnown } from '../../../../targets/statistics/intervals/mean-interval.ts'
import { scoresTable, standingsTable } from '../../../../tools/site/downloads/scores-file.ts'
import { benchmarkPage } from '../../../../tools/site/pages/benchmark/page.tsx'
import { Pairs } from '../../../../tools/site/pages/benchmark/pairs.tsx'
import { CategoryDots } from '../../../../tools/site/pages/figures/category-dots.tsx'
import { RankIntervals } from '../../../../tools/site/pages/figures/rank-intervals.tsx'
import { ScoreHeatmap } from '../../../../tools/site/pages/figures/score-heatmap.tsx'
import { modelPage } from '../../../../tools/site/pages/models/model-page.tsx'
import { modelsPage } from '../../../../tools/site/pages/models/page.tsx'
import { taxonomyPage } from '../../../../tools/site/pages/taxonomy/page.tsx'
import { boardRunOf } from '../../../targets/aggregate/board-runs.ts'
import { shownText, tableOf } from '../page-text.ts'
import { viewOf, withRanks } from './leaderboard/views.ts'
import { usageOf } from '../../../rig/model-calls.ts'

const ones = (count: number, of: number): number[] =>
  Array.from({ length: of }, (_, at) => Number(at < count))

const RATED = { isShare: false, isBinary: false, range: { low: 1, high: 5 } }

/** Three models; the last lost answers. */
const runs = [
  boardRunOf({ model: 'm/a', values: ones(6, 8) }),
  boardRunOf({ model: 'm/b', values: ones(2, 8) }),
  boardRunOf({ model: 'm/lost', values: ones(4, 4), evaluated: 8, causes: { refused: 4 } }),
  boardRunOf({ model: 'm/a', benchmark: 'errors', lowerIsBetter: true, values: ones(2, 8) }),
  boardRunOf({ model: 'm/b', benchmark: 'errors', lowerIsBetter: true, values: ones(6, 8) }),
  boardRunOf({ model: 'm/a', benchmark: 'rated', ...RATED, values: [4, 5] }),
  boardRunOf({ model: 'm/b', benchmark: 'rated', ...RATED, values: [2, 3] }),
].map((run) => ({
  ...run,
  benchmark: {
    ...run.benchmark,
    category: run.benchmark.name === 'rated' ? 'Research' : 'Notes',
    subcategory: run.benchmark.name,
  },
}))

const lettered = (board: Board): Board => ({
  ...board,
  rows: board.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, at) =>
      at === 0 && cell.place !== null ? { ...cell, groups: cell.place.rank === 1 ? 'a' : 'b' } : cell,
    ),
  })),
})

const plain = lettered(makeBoard('s', runs))
const usage = (deployment: string, calls: number, seconds: number) => ({
  deployment,
  usage: usageOf({ calls, inputTokens: 2e6, outputTokens: 1e5, seconds }),
})
const price = { deployment: 'm/a', input: 1, output: 10, date: '2026-01-01', source: 'list', file: 'f' }
const board = withSpending(plain, [usage('m/a', 500, 100), usage('m/b', 0, 0)], new Map([['m/a', price]]))
const rowOf = (label: string): BoardRow => {
  const row = board.rows.find((each) => each.label === label)
  if (row === undefined) throw new RangeError('the board has such a row')
  return row
}

describe('a benchmark’s page', () => {
  const pageOf = (name: string): string => {
    const benchmark = board.benchmarks.find((each) => each.name === name)
    if (benchmark === undefined) throw new RangeError('the board has such a benchmark')
    const values = runs.flatMap(({ name: run, benchmark: of, model: { deployment }, vector }) =>
      vector === undefined ? [] : [{ run, benchmark: of.name, deployment, vector }],
    )
    return benchmarkPage({ board, runs: [], values }, benchmark, {
      prompt: undefined,
      frame: { navigation: [], board: 'index.html' },
    })
  }

  test('has the best first and unranked models last, filled where a letter is shared with the best', () => {
    const { head, rows } = tableOf(pageOf('bench'), 'Results')
    expect(head).toEqual([
      'Model',
      'Place',
      'Mean and 95 % interval',
      'Mean',
      '95 % interval',
      'Group',
      'n',
      'Coverage',
      'Missing',
      'Interval by',
    ])
    // Wilson, by scipy's proportion of 6, 2 and 4 of 8, 8 and 4
    expect(rows).toEqual([
      ['m/a', '1', 'dot', '0.750', '0.409 – 0.929', 'a', '8', '100 %', '–', 'Wilson'],
      ['m/b', '2', 'dot hollow', '0.250', '0.071 – 0.591', 'b', '8', '100 %', '–', 'Wilson'],
      ['m/lost', '–', 'dot hollow', '1.000', '0.510 – 1.000', '–', '4', '50.0 %', '4 refusals', 'Wilson'],
    ])
    expect(tableOf(pageOf('errors'), 'Results').rows.map(([model, place]) => [model, place])).toEqual([
      ['m/a', '1'],
      ['m/b', '2'],
    ])
  })

  test('lists instances that models fail most, by the direction of the metric', () => {
    expect(tableOf(pageOf('bench'), 'The hardest instances').rows.slice(0, 3)).toEqual([
      ['id6', '0.000', '0.000', '2'],
      ['id7', '0.000', '0.000', '2'],
      ['id4', '0.500', '1.000', '2'],
    ])
    expect(shownText(pageOf('bench'))).toContain('No model was right on 2 of 8 instances.')
    // Two that both get wrong, where 1 is an error.
    expect(tableOf(pageOf('errors'), 'The hardest instances').rows.slice(0, 3)).toEqual([
      ['id0', '1.000', '1.000', '2'],
      ['id1', '1.000', '1.000', '2'],
      ['id2', '0.500', '0.000', '2'],
    ])
    expect(shownText(pageOf('errors'))).toContain('No model was right on 2 of 8 instances.')
  })
})

describe('the differences of a benchmark’s models', () => {
  const pair = (more: Partial<BoardPair>): BoardPair => ({
    a: 'm/a',
    b: 'm/b',
    n: 40,
    common: 40,
    sources: 40,
    meanA: 0.7,
    meanB: 0.5,
    difference: -0.2,
    bounds: null,
    interval: { low: -0.3, high: -0.1 },
    test: 'mid-p',
    p: 0.02,
    holm: 0.049,
    strict: null,
    isBorderline: false,
    plan: null,
    reason: '',
    mde: 0.15,
    medhelmMde: 0.2,
    ...more,
  })
  const linkOf = (deployment: string) => h('a', null, deployment)
  const html = (pairs: readonly BoardPair[], of: 'all' | 'best' = 'all') =>
    renderToString(h(Pairs, { pairs: { benchmark: 'x', of, pairs }, linkOf }))

  test('are told apart below 5 % by Holm, with the tests that were made and what could have been noticed', () => {
    const page = html([
      pair({}),
      pair({
        b: 'm/c',
        holm: 0.05,
        p: 0.03,
        test: 't',
        sources: 12,
        mde: null,
        plan: { test: 'mid-p', n: 40, discordant: 0.1 },
        medhelmMde: 0.4,
      }),
      pair({ b: 'm/d', holm: null, p: null, interval: null, test: 'none', mde: null, medhelmMde: null }),
    ])
    const text = shownText(page)
    expect(text).toContain('1 of 3 pairs is told apart')
    expect(text).toContain('All 3 pairs of ranked models')
    expect(text).toContain(
      'by McNemar’s mid-p test with Tango’s interval or Student’s t over sources (CR2) or no test,',
    )
    expect(text).toContain('in the metric’s own units, it is 0.300 on average.')
    expect(tableOf(page, 'Differences between models').rows).toEqual([
      ['m/a', 'm/b', '−0.200', '−0.300 to −0.100', '0.020', '0.049', '40', '0.150', '0.200'],
      [
        'm/a',
        'm/c',
        '−0.200',
        '−0.300 to −0.100',
        '0.030',
        '0.050',
        '40 of 12 sources',
        'none at this n',
        '0.400',
      ],
      ['m/a', 'm/d', '−0.200', '–', '–', '–', '40', '–', '–'],
    ])
    expect(shownText(html([pair({}), pair({ b: 'm/c' })], 'best'))).toContain(
      'Every ranked model and the best',
    )
    expect(shownText(html([pair({}), pair({ b: 'm/c' })]))).toContain('2 of 2 pairs are told apart')
    const alone = shownText(html([pair({ holm: 0.2 })]))
    expect(alone).toContain('The pair of ranked models, on the instances')
    expect(alone).toContain('The pair is not told apart')
    expect(shownText(html([pair({})]))).toContain('The pair is told apart')
  })
})

describe('a model’s page', () => {
  test('has each score by category, with its share of the scale drawn, hollow where it is not ranked', () => {
    const page = modelPage({ board, runs: [] }, rowOf('m/lost'), { navigation: [], models: 'models.html' })
    expect(tableOf(page, 'Scores').rows).toEqual([
      ['Notes'],
      ['bench', 'dot hollow', '1.000', '0.510 – 1.000', '4', '50.0 %', 'exact_match', '4 refusals'].filter(
        (cell) => cell !== '',
      ),
    ])
    const whole = modelPage({ board, runs: [] }, rowOf('m/a'), { navigation: [], models: 'models.html' })
    expect(tableOf(whole, 'Scores').rows.map((row) => [row[0], row[1], row[2], row[5]])).toEqual([
      ['Notes', undefined, undefined, undefined],
      ['bench', 'dot', '0.750', '1'],
      ['errors', 'dot', '0.250', '1'],
      ['Research', undefined, undefined, undefined],
      ['rated', 'dot', '4.500', '1'],
    ])
    const text = shownText(whole)
    expect(text).toContain('1.000, place 1')
    expect(text).toContain('500 replies; 2 000 000 tokens read, 100 000 written; 0.20 s a reply; $3.00')
    const bare = shownText(
      modelPage({ board, runs: [] }, rowOf('m/b'), { navigation: [], models: 'models.html' }),
    )
    expect(bare).toContain('2 000 000 tokens read, 100 000 written; cost not known')
    expect(bare).not.toMatch(/0 replies|a reply/)
  })

  test('stands in the list with its place, average, benchmarks, cost and latency', () => {
    const [file] = [...modelsPage.files({ suites: [{ board, runs: [] }], navigation: [] })]
    expect(tableOf(file?.text ?? '', 'Models').rows).toEqual([
      ['m/a', 'Maker', 'open', '1', '1.000', '0.792', '3 of 3', '$3.00', '2.00 M', '100 k', '0.20 s'],
      ['m/b', 'Maker', 'open', '2', '0.000', '0.292', '3 of 3', 'not known', '2.00 M', '100 k', '–'],
      ['m/lost', 'Maker', 'open', '–', '–', '–', '0 of 3', '–', '–', '–', '–'],
    ])
  })
})

describe('the files of a board', () => {
  const ranked = withRanks(board, [
    [1, 2, 0.7],
    [1, 2, 0.3],
    [3, 3, 0],
  ])

  test('tell apart, as the board does, what could not be read of any instance and what nobody tells the instances of', () => {
    const scores = [
      boardRunOf({ model: 'm/torn', values: [0.5] }),
      boardRunOf({ model: 'm/mean', values: [0.5] }),
    ]
    const of = { range: { low: 0, high: 1 }, isBinary: true }
    const [torn, mean] = [meanInterval([{ values: [NaN, NaN, NaN] }], of, 0.95), nothingKnown('a mean alone')]
    const made = makeBoard(
      's',
      scores.map((run, at) => ({ ...run, sample: { requests: 1, found: at === 0 ? torn : mean } })),
    )
    const { head, rows } = scoresTable(made)
    const base = (key: string): string | undefined =>
      viewOf(made).all.find((row) => row.key === key)?.cells[0]?.base
    expect(rows.map((row) => [row[head.indexOf('model')], row[head.indexOf('n')]])).toEqual([
      ['m/mean', null],
      ['m/torn', 0],
    ])
    expect(base('m/torn')).toMatch(/^n 0, /)
    expect(base('m/mean')).toMatch(/^n not known, /)
  })

  test('have a row a score, with what places go by, its bounds and what is not whole', () => {
    const { head, rows } = scoresTable(board)
    const told = rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])))
    expect(told.map(({ model, benchmark, ranked: is, place }) => [model, benchmark, is, place])).toEqual([
      ['m/a', 'bench', 'yes', 1],
      ['m/a', 'errors', 'yes', 1],
      ['m/a', 'rated', 'yes', 1],
      ['m/b', 'bench', 'yes', 2],
      ['m/b', 'errors', 'yes', 2],
      ['m/b', 'rated', 'yes', 2],
      ['m/lost', 'bench', 'no', null],
    ])
    expect(told[6]).toMatchObject({
      value: 1,
      score: 1,
      low: expect.closeTo(0.5101, 4) as number,
      high: 1,
      interval: 'Wilson',
      n: 4,
      requests: 8,
      measured: 4,
      groups: '',
      note: 'unranked: 50.0 % measured, 4 refusals',
      category: 'Notes',
    })
  })

  test('have standings as a paper prints them, ranks of those that have a place', () => {
    expect(standingsTable(ranked).rows).toEqual([
      // Thirds of 0.75, 1 − 0.25 and (4.5 − 1) / 4, and of 0.25, 1 − 0.75 and (2.5 − 1) / 4.
      ['1', 'm/a', '1.000', '0.000–1.000', '0.792', null, '1–2', '$6.00', '0.20 s'],
      ['2', 'm/b', '0.000', '0.000–1.000', '0.292', null, '1–2', null, null],
      [null, 'm/lost', null, '0.000–1.000', null, null, null, null, null],
    ])
  })

  test('show as figures the ranks that are open, and the means of categories that models share', () => {
    const html = renderToString(h(RankIntervals, { board: ranked, root: '' }))
    expect(tableOf(html, 'Which ranks are open').rows).toEqual([
      ['m/a', 'dot', '0.792', '1', '1–2', '1–2', '0.70', '1'],
      ['m/b', 'dot', '0.292', '2', '1–2', '1–2', '0.30', '2'],
      ['m/lost', '', '–', '–', '3', '3', '< 0.01', '–'],
    ])
    expect(shownText(renderToString(h(RankIntervals, { board, root: '' })))).toContain(
      'How sure the order is was not tested',
    )
    const drawn = renderToString(h(CategoryDots, { board, view: viewOf(board), root: '' }))
    expect(drawn).toMatch(/Notes \(2\).*Research \(1\)/s)
    const dots = tableOf(drawn, 'Mean scores by category')
    expect(dots.rows).toEqual([
      ['m/a', 'dot', 'dot'],
      ['m/b', 'dot', 'dot'],
      ['m/lost', '–', '–'],
    ])
  })

  test('shade scores by how good they are, and nothing that is not ranked', () => {
    const html = renderToString(h(ScoreHeatmap, { board, root: '' }))
    const shades = html
      .split('<tr')
      .slice(3)
      .map((row) => [...row.matchAll(/<td(?: class="fill-(\d)")?/g)].map(([, shade]) => shade))
    // Of six: 0.75, 1 − 0.25 and (4.5 − 1) / 4; 0.25, 1 − 0.75 and (2.5 − 1) / 4.
    expect(shades).toEqual([
      ['5', '5', '5'],
      ['2', '2', '2'],
      [undefined, undefined, undefined],
    ])
    expect(tableOf(html, 'Scores by benchmark').rows.at(-1)).toEqual(['m/lost', '~1.000', '–', '–'])
  })
})

test('the taxonomy tells which work is asked about, and which benchmarks could have been', () => {
  const taxonomy = {
    categories: [
      {
        name: 'Notes',
        subcategories: [
          { name: 'bench', tasks: ['t1', 't2'] },
          { name: 'open', tasks: [] },
        ],
      },
      { name: 'Research', subcategories: [{ name: 'other', tasks: [] }] },
    ],
  }
  const declared = (name: string, category: string, subcategory: string) => ({
    name,
    displayName: `The ${name}`,
    category,
    subcategory,
  })
  const catalog = [
    declared('bench', 'Notes', 'bench'),
    declared('more', 'Notes', 'open'),
    declared('else', 'Research', 'open'),
  ]
  const [file] = [...taxonomyPage.files({ suites: [{ board, runs: [], taxonomy, catalog }], navigation: [] })]
  const html = file?.text ?? ''
  expect(shownText(html)).toContain('1 of 3 subcategories of medical work are asked about here.')
  expect(tableOf(html, 'Medical work, and what is asked about it').rows).toEqual([
    ['Notes'],
    ['bench', 'bench', '–', 't1, t2'],
  ])
  expect(tableOf(html, 'Medical work that nothing is asked about').rows).toEqual([
    ['Notes'],
    ['open', 'The more'],
    ['Research'],
    ['other', '–'],
  ])
  expect(shownText(html)).toMatch(/Elsewhere .* errors rated/)
})
