import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { makeBoard } from '../../../../targets/board/board.ts'
import { diffReleases } from '../../../../tools/site/history/diff-releases.ts'
import type { EarlierRelease, Snapshot, SnapshotCell } from '../../../../tools/site/history/snapshot.ts'
import { releasesPage } from '../../../../tools/site/pages/releases/page.tsx'
import { Slope } from '../../../../tools/site/pages/releases/slope.tsx'
import {
  CellsTable,
  ConditionsTable,
  MovedTable,
  PartsTable,
} from '../../../../tools/site/pages/releases/tables.tsx'
import { largestOf, verdictOf } from '../../../../tools/site/pages/releases/verdict.ts'
import { boardRunOf } from '../../../targets/aggregate/board-runs.ts'
import { shownText, tableOf } from '../page-text.ts'
import { cellOf, modelOf, snapshotOf, type SnapshotModel } from '../history/made-up-snapshot.ts'

const diffOf = (one: Snapshot, other: Snapshot) => diffReleases(one, other, () => false)

const cell = (score: number | null, more: Partial<SnapshotCell> = {}): SnapshotCell =>
  cellOf(score, {
    interval: score === null ? null : { low: score - 0.05, high: score + 0.05 },
    n: 100,
    data: 'd1',
    served: ['v1'],
    ...more,
  })

const model = (
  name: string,
  place: number | null,
  winRate: number | null,
  cells: SnapshotModel['cells'],
  more: Partial<SnapshotModel> = {},
): SnapshotModel => modelOf(name, cells, { place, winRate, price: { input: 1, output: 2 }, ...more })

const snapshot = (models: readonly SnapshotModel[], more: Partial<Snapshot> = {}): Snapshot => ({
  ...snapshotOf(['x', 'y'], models),
  ...more,
})

// Of two models, each other's only rival: a win rate is the share of the two benchmarks that it wins.
const before = snapshot([
  model('a', 1, 1, [cell(0.9), cell(0.8)]),
  model('b', 2, 0, [cell(0.5), cell(0.5)]),
  model('gone', null, null, [cell(null), null]),
])
const now = snapshot([
  model('b', 1, 0.5, [cell(0.95, { data: 'd2', jury: ['j'] }), cell(0.5)], {
    price: { input: 1, output: 3 },
  }),
  model('a', 1, 0.5, [cell(0.9), cell(0.8)]),
  model('new', null, null, [null, cell(null, { served: ['v2'] })]),
])
const links = { model: (name: string) => `models/${name}`, benchmark: (name: string) => `benchmarks/${name}` }

describe('what a release says of the one before', () => {
  const diff = diffOf(before, now)

  test('is who moved most and why, how much is beyond noise, and what came, went and costs another price', () => {
    expect(verdictOf(diff, 'v1')).toBe(
      'B and A moved most since v1, their win rates by 0.500 each, by data and jury. 1 of 4 scores changed beyond noise. New: NEW. Gone: GONE. Other prices: B.',
    )
    expect(verdictOf({ ...diff, cells: [], newModels: ['قاموس', 'B'] }, 'v1')).toContain(
      'No score was tested. New: \u2068قاموس\u2069, B. ',
    )
    expect([largestOf([0.1, -0.4, 0.2]), largestOf([0, 0]), largestOf([])]).toEqual([1, undefined, undefined])
  })

  test('has places and win rates of both, the change, what differs and on how many benchmarks', () => {
    expect(tableOf(renderToString(h(MovedTable, { diff, links })), 'What moved').rows).toEqual([
      ['B', '2', '1', '0.000', '0.500', '+0.500', 'data (1 benchmark), jury (1 benchmark)', '1 / 2 → 1 / 3'],
      ['A', '1', '1', '1.000', '0.500', '−0.500', 'nothing recorded', '1 / 2'],
      ['NEW', 'new', '–', '–', '–', '–', '–', '1 / 2'],
      ['GONE', '–', 'gone', '–', '–', '–', '–', '–'],
    ])
  })

  test('has beside a win rate on how many benchmarks it is, where others are compared on more', () => {
    const models = [
      model('a', 1, 1, [cell(0.9), cell(0.8)]),
      model('b', null, 0, [cell(0.5), cell(null)]),
      model('c', 2, 0.5, [cell(0.7), cell(0.6)]),
    ]
    const partial = diffOf(snapshot(models), snapshot(models.slice(0, 2)))
    expect(
      tableOf(renderToString(h(MovedTable, { diff: partial, links })), 'What moved').rows.map((row) =>
        row.slice(0, 5),
      ),
    ).toEqual([
      ['A', '1', '1', '1.000', '1.000'],
      ['B', '–', '–', '0.000 (1/2)', '0.000'],
      ['C', '2', 'gone', '0.500', '–'],
    ])
  })

  test('has the parts of each change by cause, the largest bold', () => {
    const html = renderToString(h(PartsTable, { diff, links }) ?? h('p', null))
    expect(tableOf(html, 'Parts of the changes')).toEqual({
      head: ['Model', 'Change', 'Data and jury'],
      rows: [
        ['B', '+0.500', '+0.500'],
        ['A', '−0.500', '−0.500'],
      ],
    })
    expect(html).toMatch(/<b><data value="-0.5">/)
  })

  test('has scores with their changes, surest first, and says whether answers or verdicts moved without a cause', () => {
    const told = (cells: typeof diff.cells) =>
      tableOf(renderToString(h(CellsTable, { cells, now, links, label: 'Scores' })), 'Scores').rows.map(
        (row) => [row[0], row[1], row[4], row.at(-1)],
      )
    expect(told(diff.cells)).toEqual([
      ['B', 'X', '+0.450', 'data, jury'],
      ['B', 'Y', '0.000', '–'],
      ['A', 'X', '0.000', '–'],
      ['A', 'Y', '0.000', '–'],
    ])
    const moved = (jury: readonly string[]) => {
      const [one, two] = [0.3, 0.6].map((score) =>
        snapshot([model('a', 1, 1, [cell(score, { jury: [...jury] }), null])]),
      )
      return one === undefined || two === undefined ? [] : told(diffOf(one, two).cells)
    }
    expect([moved([])[0]?.at(-1), moved(['j'])[0]?.at(-1)]).toEqual([
      'other answers',
      'other answers or verdicts',
    ])
  })

  test('says of each score how it was decided: on which instances, what was not read, and why it is not paired', () => {
    const [changed, ...others] = diff.cells
    if (changed === undefined) throw new Error('a changed score')
    const way = (more: Partial<typeof changed>) =>
      tableOf(
        renderToString(h(CellsTable, { cells: [{ ...changed, ...more }], now, links, label: 'Scores' })),
        'Scores',
      ).rows[0]?.at(-2)
    const paired = (asked: number, shared: number, common: number, reason = '') =>
      way({ way: 'paired', counts: { asked, shared, common }, reason })
    expect(way({})).toBe('unpaired: no values before')
    expect(way({ way: 'same', reason: '' })).toBe('same answers')
    expect(paired(1, 1, 1)).toBe('paired, 1 instance')
    expect(paired(100, 90, 88, 'few')).toBe(
      'paired, 90 of 100 instances, 2 unread, few, over all 0.500 → 0.950',
    )
    const kept = others.map((each) => ({ ...each, way: 'same' as const, holm: null }))
    expect(verdictOf({ ...diff, cells: [changed, ...kept] }, 'v1')).toContain(
      ' 1 of 1 score changed beyond noise, 3 on the same answers. ',
    )
  })

  test('has what differs by benchmark, as it was and as it is', () => {
    const html = (of: typeof diff, which: Snapshot) =>
      renderToString(h(ConditionsTable, { diff: of, now: which, links }))
    expect(tableOf(html(diff, now), 'What was not the same').rows).toEqual([
      ['X', 'data', '1 model', 'd1', 'd2'],
      ['X', 'jury', '1 model', 'none', 'j'],
    ])
    const by = (judgedBy: readonly string[]) =>
      snapshot([model('a', 1, 1, [cell(0.7, { jury: ['j', 'k'], judgedBy: [...judgedBy] }), null])])
    const rejudged = by(['j-2', 'k'])
    expect(tableOf(html(diffOf(by(['j', 'k-1']), rejudged), rejudged), 'What was not the same').rows).toEqual(
      [['X', 'jury', '1 model', 'j, k: k-1', 'j: j-2, k']],
    )
    const same = diffOf(before, before)
    expect(shownText(html(same, before))).toContain('and errata are the same.')
    const other = snapshot([model('a', 1, 1, [cell(0.7), cell(0.8)])])
    expect(shownText(html(diffOf(before, other), other))).toContain('the same: what moved are answers')
  })

  test('holds two juries of one size apart', () => {
    const judged = (name: string) => snapshot([model('a', 1, 1, [cell(0.7, { jury: [name] }), null])])
    expect(diffOf(judged('x'), judged('y')).pairs[0]?.causes).toEqual(['jury'])
  })

  test('lists scores without a p last', () => {
    const bare = { interval: null }
    const [one, two] = [0.3, 0.6].map((score) =>
      snapshot([model('a', 1, 1, [cell(score, bare), cell(score)])]),
    )
    const cells = one === undefined || two === undefined ? [] : diffOf(one, two).cells
    expect(cells.map(({ benchmark, p }) => [benchmark, p === null])).toEqual([
      ['y', false],
      ['x', true],
    ])
  })

  test('joins several causes at once where there are too many to tell apart', () => {
    const names = ['data', 'protocol', 'served'] as const
    const changed = (at: number): Partial<SnapshotCell> => ({
      ...((at & 1) > 0 && { data: 'd2' }),
      ...((at & 2) > 0 && { protocol: 'p2' }),
      ...((at & 4) > 0 && { served: ['v2'] }),
      ...((at & 8) > 0 && { errata: ['e'] }),
      ...((at & 16) > 0 && { jury: ['j'] }),
    })
    expect(names).toHaveLength(3)
    const benchmarks = Array.from({ length: 31 }, (_, at) => ({
      name: `b${at}`,
      label: `b${at}`,
      width: 1,
      lowerIsBetter: false,
    }))
    const of = (a: number, b: number, isNew: boolean) =>
      snapshot(
        [
          model(
            'a',
            1,
            a > b ? 1 : 0,
            benchmarks.map((_, at) => cell(a, isNew ? changed(at + 1) : {})),
          ),
          model(
            'b',
            2,
            b > a ? 1 : 0,
            benchmarks.map(() => cell(b)),
          ),
        ],
        { benchmarks },
      )
    const { parts } = diffOf(of(0.2, 0.5, false), of(0.8, 0.5, true))
    expect(parts?.causes).toContain('several at once')
    expect(parts?.parts.get('a')?.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1, 12)
  })
})

describe('places over releases', () => {
  const slope = (places: readonly (readonly (number | null)[])[]) =>
    renderToString(
      h(Slope, {
        releases: ['v1', 'v2'],
        lines: places.map((own, at) => ({
          label: `M${at}`,
          href: undefined,
          places: own,
          isMoved: at === 0,
          isNew: own[0] === null,
        })),
      }),
    )
  const seats = (html: string) =>
    [...html.matchAll(/<text(?: class="end")? x="([\d.]+)%" y="(\d+)">([^<]*)</g)].map(([, x, y, text]) => [
      text,
      Number(x) < 50 ? 'left' : 'right',
      Number(y),
    ])

  test('give each model a row at both ends by its place, equal ones below each other', () => {
    // 28 above, 24 a row, a text's line 4 below its middle.
    expect(
      seats(
        slope([
          [2, 1],
          [1, 2],
          [1, 2],
          [null, 4],
        ]),
      ),
    ).toEqual([
      ['M0 2', 'left', 28 + 2.5 * 24 + 4],
      ['1 M0', 'right', 28 + 0.5 * 24 + 4],
      ['M1 1', 'left', 28 + 0.5 * 24 + 4],
      ['2 M1', 'right', 28 + 1.5 * 24 + 4],
      ['M2 1', 'left', 28 + 1.5 * 24 + 4],
      ['2 M2', 'right', 28 + 2.5 * 24 + 4],
      ['4 M3 (new)', 'right', 28 + 3.5 * 24 + 4],
    ])
  })

  test('draw a line where there are two, thick for what moved', () => {
    const html = slope([
      [2, 1],
      [1, 2],
      [null, 3],
    ])
    expect([...html.matchAll(/class="(slope-line[^"]*)"/g)].map(([, name]) => name)).toEqual([
      'slope-line moved',
      'slope-line',
    ])
  })
})

test('the page tells of the last release, and win rates of all, models that are gone among them', () => {
  const board = makeBoard('s', [
    boardRunOf({ model: 'a', benchmark: 'x', values: [1, 1, 1, 0] }),
    boardRunOf({ model: 'b', benchmark: 'x', values: [1, 0, 0, 0] }),
  ])
  const history: readonly EarlierRelease[] = [
    {
      label: 'v1',
      snapshot: snapshot([model('c', 1, 1, [cell(0.5), null]), model('b', 4, 0, [cell(0.2), null])]),
    },
    {
      label: 'v1',
      snapshot: {
        ...before,
        benchmarks: before.benchmarks.map((each, at) => (at === 0 ? { ...each, width: 4 } : each)),
      },
    },
  ]
  const [file] = [...releasesPage.files({ suites: [{ board, runs: [], history }], navigation: [] })]
  const html = file?.text ?? ''
  expect(html).toContain('Places, v1 → v1 (2) → now')
  expect(shownText(html)).toContain('Left out, as their metric or its scale is another one now: x.')
  expect(shownText(html)).toContain('None was tested.')
  expect(shownText(html)).not.toContain('The next')
  expect(tableOf(html, 'Win rates of all releases')).toEqual({
    head: ['Model', 'v1', 'v1 (2)', 'now'],
    rows: [
      ['a', '–', '1.000', '1.000'],
      ['b', '0.000', '0.000', '0.000'],
      ['GONE', '–', '–', '–'],
      ['C', '1.000', '–', '–'],
    ],
  })
})

test('a model that is measured in full and has no other beside it is not told as lacking something', () => {
  const board = makeBoard('s', [boardRunOf({ model: 'a', benchmark: 'x', values: [1, 1, 1, 0] })])
  const history = [{ label: 'v1', snapshot: snapshot([model('a', null, null, [cell(0.5), null])]) }]
  const [file] = [...releasesPage.files({ suites: [{ board, runs: [], history }], navigation: [] })]
  const text = shownText(file?.text ?? '')
  expect(text).toContain('No model has a place in any of them: no two are compared in full.')
  expect(text).not.toContain('measured in full')
})
