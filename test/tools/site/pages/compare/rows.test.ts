import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { compareModels, type SharedBenchmark } from '../../../../../targets/compare/compare-models.ts'
import type { CompareData } from '../../../../../tools/site/pages/compare/compare-data.ts'
import { countBetter, forestRows, ordered } from '../../../../../tools/site/pages/compare/forest-rows.ts'
import { forestTick } from '../../../../../tools/site/pages/compare/forest.tsx'
import { OverAll } from '../../../../../tools/site/pages/compare/over-all.tsx'
import { pairRows, shownRows } from '../../../../../tools/site/pages/compare/pair-rows.ts'
import { DEFAULT_COMPARE_STATE } from '../../../../../tools/site/pages/compare/state.ts'
import { Summary } from '../../../../../tools/site/pages/compare/summary.tsx'
import type { InstanceIndex } from '../../../../../tools/site/pages/run/run-index.ts'
import { shownText, tableOf } from '../../page-text.ts'
import { comparedModel as model, ones } from './compared.ts'

/** A benchmark that both were run on; values of A and of B. */
const shared = (
  name: string,
  a: readonly (number | undefined)[],
  b: readonly (number | undefined)[],
  more: Partial<SharedBenchmark> & { readonly isRunRanked?: boolean } = {},
): SharedBenchmark => {
  const { isRunRanked = true, ...rest } = more
  return {
    benchmark: name,
    group: 'Notes',
    metric: { isBinary: true, range: { low: 0, high: 1 }, lowerIsBetter: false },
    isRanked: true,
    runs: [{ scenario: name, a, b, isRanked: isRunRanked }],
    ...rest,
  }
}

const ERRORS = { isBinary: false, range: { low: 0, high: 4 }, lowerIsBetter: true }
const both = [
  shared('up', ones(5), ones(35)),
  shared(
    'errors',
    ones(5).map((x) => 4 * x),
    ones(35).map((x) => 4 * x),
    { metric: ERRORS, group: 'Research' },
  ),
  shared('same', ones(20), ones(21)),
  shared('unclear', ones(20), ones(35), { metric: { isBinary: true, range: { low: 0, high: 1 } } }),
  shared('endless', ones(2, 8), ones(3, 8), { metric: { isBinary: false, lowerIsBetter: false } }),
  shared('lost', ones(5, 10), ones(9, 10), { isRunRanked: false, isRanked: false }),
  shared('open', [...ones(20), ...Array.from({ length: 30 }, () => NaN)], ones(20, 70)),
]

const dataOf = (benchmarks: readonly SharedBenchmark[]): CompareData => ({
  models: [model('a'), model('b')],
  benchmarks: benchmarks.map(({ benchmark, group, metric }) => ({
    label: benchmark,
    category: group,
    href: `${benchmark}.html`,
    access: 'public',
    metric: 'Score',
    isBinary: metric.isBinary,
    ...(metric.range && { range: metric.range }),
    ...(metric.lowerIsBetter === undefined ? {} : { lowerIsBetter: metric.lowerIsBetter }),
  })),
  scenarios: benchmarks.map(({ benchmark }, at) => ({
    key: benchmark,
    label: `The ${benchmark}`,
    benchmark: at,
    unranked: [],
  })),
  tasks: [],
})

const rows = forestRows(dataOf(both), compareModels(both))

describe('the rows of two models compared', () => {
  test('say who is better by the direction of the metric, and what is not decided', () => {
    expect(rows.map(({ key, better }) => [key, better])).toEqual([
      ['up', 'b'],
      ['errors', 'a'],
      ['same', 'neither'],
      ['unclear', 'untested'],
      ['endless', 'neither'],
      ['lost', 'unranked'],
      ['open', 'inconclusive'],
    ])
    expect(countBetter(rows)).toEqual({ a: 1, b: 1, neither: 2, inconclusive: 1, unranked: 1, untested: 1 })
  })

  test('are drawn in hundredths of the scale, turned so that more is better, where it has ends and a direction', () => {
    const points = new Map(rows.map((row) => [row.key, row.points]))
    expect([points.get('up')?.difference, points.get('errors')?.difference]).toEqual([
      expect.closeTo(75, 9),
      expect.closeTo(-75, 9),
    ])
    for (const key of ['up', 'errors', 'lost']) {
      const { difference = NaN, low, high } = points.get(key) ?? {}
      expect([key, (low ?? NaN) <= difference, difference <= (high ?? NaN)]).toEqual([key, true, true])
    }
    expect([points.get('unclear'), points.get('endless')]).toEqual([null, null])
    expect(rows.map(({ n }) => n)).toEqual([40, 40, 40, 40, 8, 10, 40])
  })

  test('stand with what speaks for B first, without a scale last, or by instances, or as on the board', () => {
    const keys = (order: string) => ordered(rows, order).map(({ key }) => key)
    expect(keys('difference')[0]).toBe('up')
    expect(keys('difference').slice(-3)).toEqual(['errors', 'unclear', 'endless'])
    expect(keys('instances')).toEqual(['up', 'errors', 'same', 'unclear', 'open', 'lost', 'endless'])
    expect(keys('category')).toEqual(rows.map(({ key }) => key))
  })
})

test('Ticks closer than a hundredth of a scale do not read as one', () => {
  expect([-1.5, -1, -0.2, 0, 0.5, 20].map(forestTick)).toEqual(['−1.5', '−1', '−0.2', '0', '+0.5', '+20'])
})

describe('two models over all', () => {
  const page = (benchmarks: readonly SharedBenchmark[], more: Partial<CompareData> = {}): string =>
    renderToString(
      h(OverAll, {
        data: { ...dataOf(benchmarks), ...more },
        chosen: { a: 0, b: 1 },
        found: compareModels(benchmarks),
        state: { ...DEFAULT_COMPARE_STATE, order: 'category' },
        change: () => undefined,
        root: '',
      }),
    )

  test('name who is ahead, on how many either is better, and what is open', () => {
    const text = shownText(page(both))
    expect(text).toContain(
      'A is better on 1, B on 1, no difference found on 2 of 5 benchmarks; inconclusive on 1, 1 not measured in full for one of them or both and 1 not tested.',
    )
    const [up] = both
    const ahead = shownText(page(up === undefined ? [] : [up]))
    expect(ahead).toContain('B is ahead on average')
    expect(ahead).toContain('On average over 1 benchmark B − A is +75.0 hundredths of the scale')
    const named = new Set(['up', 'unclear', 'endless', 'lost'])
    expect(shownText(page(both.filter(({ benchmark }) => named.has(benchmark))))).toContain(
      'Left out: unclear (nobody says what is better), endless (its scale has no ends) and lost (not measured in full).',
    )
    expect(shownText(page([shared('down', ones(35), ones(5))]))).toContain('A is ahead on average')
    expect(shownText(page([shared('same', ones(20), ones(21))]))).toContain('Neither is ahead beyond doubt')
    expect(shownText(page(both.slice(-1)))).toContain(
      'Inconclusive: what could not be read could turn the order',
    )
    // One that is unread turns no order of 22 to 18 right.
    expect(shownText(page([shared('few', ones(22), [...ones(18, 39), NaN])]))).toContain(
      'Neither is ahead beyond doubt',
    )
  })

  test('tell what each costs and how long it takes, where any of them is known', () => {
    const [a, b] = [model('a'), model('b')]
    const spent = (one: Partial<typeof a>, other: Partial<typeof b>) =>
      shownText(
        page(both, {
          models: [
            { ...a, ...one },
            { ...b, ...other },
          ],
        }),
      )
    expect(spent({ usdPerThousand: 2 }, { latency: 0.5 })).toContain(
      'Per 1,000 answers A costs $2.00, B not known. An answer takes not known of A, 0.50 s of B.',
    )
    expect(spent({}, {})).not.toMatch(/costs|takes/)
  })

  test('have a table in numbers, p and interval of ranked runs alone, and one by category', () => {
    const html = page(both)
    const table = tableOf(html, 'Paired differences in numbers')
    const lost = table.rows.find(([name]) => name === 'The lost')
    expect(lost).toEqual([
      'The lost',
      'Score',
      '10',
      '0.500',
      '0.900',
      '+0.400',
      '–',
      '–',
      '–',
      'not measured in full',
    ])
    expect(tableOf(html, 'Differences by category').rows.map((row) => row.slice(0, 6))).toEqual([
      ['Notes', '0', '2', '1', '3', expect.any(String)],
      ['Research', '1', '0', '0', '0', '−75.0'],
    ])
  })
})

describe('one benchmark’s difference', () => {
  const summary = (
    benchmark: SharedBenchmark,
    labels: readonly [a: string, b: string] = ['One', 'Two'],
  ): string => {
    const [compared] = compareModels([benchmark]).scenarios
    if (compared === undefined) throw new RangeError('it was compared')
    const task = { key: 'x', label: 'X', metric: 'Score', isBinary: true, runs: [] }
    return renderToString(h(Summary, { task, compared, labels }))
  }

  test('has means, difference and p, of how many instances they are, and what could have been noticed', () => {
    const { head, rows: found } = tableOf(
      summary(shared('up', [...ones(5), 1, NaN], [...ones(35), NaN, 1])),
      'Paired difference',
    )
    expect(head.slice(0, 5)).toEqual(['Metric', 'A: One', 'B: Two', 'B − A', '95 % interval'])
    expect(found[0]?.slice(0, 4)).toEqual(['Score', '0.125', '0.875', '+0.750'])
    expect(found[0]).toContain('40 of 42')
    // 2.8 · √(0.75 · 0.25 / 40), as MedHELM's paper forms it
    expect(found[0]?.at(-1)).toBe('0.192')
  })

  test('cuts long names so that no two look the same, and its numbers stay in sight', () => {
    const long = (end: string): string => `meta/llama-with-a-very-long-name-that-goes-on-and-on-${end}`
    const html = summary(shared('up', ones(5), ones(35)), [long('one'), long('two')])
    const { head } = tableOf(html, 'Paired difference')
    expect(head.slice(1, 3).every((name) => name.length < 36 && name.includes('…'))).toBe(true)
    expect(head[1]?.slice(3)).not.toBe(head[2]?.slice(3))
  })

  test('of a run that is not measured in full decides nothing', () => {
    const html = summary(shared('lost', ones(5, 10), ones(9, 10), { isRunRanked: false }))
    expect(html).toContain('this decides nothing')
    const { head, rows: found } = tableOf(html, 'Paired difference')
    expect([head.some((name) => name.startsWith('p (')), found[0]?.includes('10')]).toEqual([false, true])
    expect(summary(shared('up', ones(5), ones(35)))).not.toContain('decides nothing')
  })
})

describe('instances side by side', () => {
  const index = (entries: readonly (readonly [id: string, score: number | null])[]): InstanceIndex => ({
    ids: entries.map(([id]) => id),
    trials: [],
    scores: entries.map(([, score]) => score),
    spreads: [],
    failed: new Set(),
    starts: [],
    texts: 0,
  })
  const a = index([
    ['x', 1],
    ['y', 0.5],
    ['x', 0],
    ['z', null],
    ['w', 0.25],
    ['alone', 1],
  ])
  const b = index([
    ['w', 0.25],
    ['x', 1],
    ['y', 0],
    ['z', 1],
    ['x', null],
  ])
  const pairs = pairRows(a, b)

  test('are those of both, means over the trials that have a value, with the rows of the first trial', () => {
    expect(pairs).toEqual([
      { id: 'x', a: 0.5, b: 1, rowA: 0, rowB: 1 },
      { id: 'y', a: 0.5, b: 0, rowA: 1, rowB: 2 },
      { id: 'z', a: NaN, b: 1, rowA: 3, rowB: 3 },
      { id: 'w', a: 0.25, b: 0.25, rowA: 4, rowB: 0 },
    ])
  })

  test('are shown by which side is better, the furthest apart first, unmeasured ones last', () => {
    const ids = (show: string, lowerIsBetter = false) =>
      shownRows(pairs, show, lowerIsBetter).map(({ id }) => id)
    expect(ids('all')).toEqual(['x', 'y', 'w', 'z'])
    expect(ids('differ')).toEqual(['x', 'y', 'z'])
    expect([ids('a'), ids('b')]).toEqual([['y'], ['x']])
    expect([ids('a', true), ids('b', true)]).toEqual([['x'], ['y']])
    const wide = { ...pairs[0], id: 'wide', a: 0, b: 1 } as (typeof pairs)[number]
    expect(shownRows([...pairs, wide], 'all', false)[0]?.id).toBe('wide')
  })
})
