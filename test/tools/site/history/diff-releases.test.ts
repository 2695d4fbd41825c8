import { expect, test } from 'vitest'
import { diffReleases } from '../../../../tools/site/history/diff-releases.ts'
import { makeSnapshot } from '../../../../tools/site/history/make-snapshot.ts'
import type { BenchmarkAbout } from '../../../../tools/site/about/benchmark-about.ts'
import type { Snapshot, SnapshotCell } from '../../../../tools/site/history/snapshot.ts'
import { verdictOf } from '../../../../tools/site/pages/releases/verdict.ts'
import { sketchSuite } from '../sketch-site.ts'
import { cellOf, modelOf, snapshotOf } from './made-up-snapshot.ts'

const diffOf = (before: Snapshot, now: Snapshot) => diffReleases(before, now, () => false)

/** The sketched suite whose runs are measured by such a metric. */
const measuredBy = (metrics: string): Snapshot => {
  const suite = sketchSuite()
  return makeSnapshot({
    ...suite,
    runs: suite.runs.map((run) => ({
      ...run,
      facts: {
        ...run.facts,
        spec: [...run.facts.spec.filter(([label]) => label !== 'Metrics'), ['Metrics', metrics]],
      },
    })),
  })
}

const causesBetween = (before: Snapshot, now: Snapshot): readonly string[] => [
  ...new Set(diffOf(before, now).pairs.flatMap(({ causes }) => causes)),
]

const jury = (judges: object, more = {}): string =>
  `a.Basic {"names": []}\nb.Jury ${JSON.stringify({ metric_name: 'x', annotator_models: judges, ...more })}`

test('Other judges are no other protocol, another argument of a metric is', () => {
  const before = measuredBy(jury({ strict: { model_name: 's' } }))
  expect(causesBetween(before, measuredBy(jury({ mild: { model_name: 'm' } })))).toEqual([])
  expect(causesBetween(before, measuredBy(jury({ strict: {} }, { default_score: 1 })))).toEqual(['protocol'])
})

test('Protocols of a file of an older version are held against none', () => {
  const before: Snapshot = { ...measuredBy('a.Basic'), version: 1 }
  const diff = diffOf(before, measuredBy('b.Other'))
  expect([diff.areProtocolsKnown, diff.pairs.flatMap(({ causes }) => causes)]).toEqual([false, []])
})

test('Conditions are told of scores that are not ranked, too', () => {
  const now = measuredBy('a.Basic')
  const before: Snapshot = {
    ...now,
    models: now.models.map((model) => ({
      ...model,
      cells: model.cells.map((cell) => cell && { ...cell, score: null, jury: ['another'] }),
    })),
  }
  const diff = diffOf(before, now)
  expect(diff.cells).toEqual([])
  expect(new Set(diff.pairs.flatMap(({ causes }) => causes))).toEqual(new Set(['jury']))
  expect(diff.pairs.length).toBeGreaterThan(0)
  expect(diff.moved.map(({ causes }) => [...causes])).toEqual(
    diff.moved.map(({ now: model }) => [['jury', model.cells.filter((cell) => cell !== null).length]]),
  )
})

const two = (scores: readonly [number, number], winRates: readonly [number, number]): Snapshot =>
  snapshotOf(
    ['x'],
    scores.map((score, at) =>
      modelOf(`m${at}`, [cellOf(score, { data: `of ${score}` })], { winRate: winRates[at] ?? null }),
    ),
  )

test('A model that lacks one of a benchmark’s runs is asked as before, where others with the runs that they had are', () => {
  const asked = (protocols: readonly string[]): Snapshot => {
    const snapshot = two([1, 2], [0, 1])
    return {
      ...snapshot,
      models: snapshot.models.map((model, at) => ({
        ...model,
        cells: model.cells.map((cell) => {
          const told = protocols[at] ?? ''
          const runs = told.split('').map((scenario) => ({ scenario, rows: 'r', areMeans: false }))
          return cell && { ...cell, data: 'd', protocol: told, runs }
        }),
      })),
    }
  }
  expect(causesBetween(asked(['ab', 'ab']), asked(['ab', 'a']))).toEqual([])
  expect(causesBetween(asked(['ab', 'a']), asked(['ab', 'ab']))).toEqual([])
  // No model tells whether it is asked otherwise, or one that had all of its runs is.
  expect(causesBetween(asked(['ab', 'ab']), asked(['a', 'a']))).toEqual(['protocol'])
  const otherwise = asked(['ab', 'ab'])
  for (const model of otherwise.models) for (const cell of model.cells) if (cell) cell.protocol += '!'
  expect(causesBetween(asked(['ab', 'a']), otherwise)).toEqual(['protocol'])
  expect(diffOf(asked(['ab', 'a']), otherwise).pairs.map(({ causes }) => causes.length)).toEqual([1, 1])
})

test('Parts are told of the models whose recorded win rates they bear out', () => {
  const now = two([3, 2], [1, 0])
  expect(diffOf(two([1, 2], [0, 1]), now).parts).toEqual({
    causes: ['data'],
    parts: new Map([
      ['m0', [1]],
      ['m1', [-1]],
    ]),
  })
  for (const off of [0.25, 0.01])
    expect([...(diffOf(two([1, 2], [off, 1]), now).parts?.parts.keys() ?? [])]).toEqual(['m1'])
})

test('What moved where no condition differs is other answers, or verdicts where judges gave them', () => {
  const alike = (snapshot: Snapshot, jury: readonly string[]): Snapshot => ({
    ...snapshot,
    models: snapshot.models.map((model) => ({
      ...model,
      cells: model.cells.map((cell) => cell && { ...cell, data: 'd', jury: [...jury] }),
    })),
  })
  const causes = (jury: readonly string[]) =>
    diffOf(alike(two([1, 2], [0, 1]), jury), alike(two([3, 2], [1, 0]), jury)).parts?.causes
  expect([causes([]), causes(['j'])]).toEqual([['other answers'], ['other answers or verdicts']])
})

test('Scores by another metric, or on another scale, are no change of each other', () => {
  const measured = (snapshot: Snapshot, more: Partial<Snapshot['benchmarks'][number]>): Snapshot => ({
    ...snapshot,
    benchmarks: snapshot.benchmarks.map((each) => ({ ...each, ...more })),
    models: snapshot.models.map((model) => ({
      ...model,
      cells: model.cells.map(
        (cell) =>
          cell && { ...cell, interval: { low: (cell.score ?? 0) - 0.1, high: (cell.score ?? 0) + 0.1 } },
      ),
    })),
  })
  const [points, share] = [{ measure: 'points' }, { measure: 'share' }]
  const before = measured(two([1, 2], [0, 1]), points)
  expect(diffOf(before, measured(two([3, 2], [1, 0]), points)).cells).toHaveLength(2)
  const other = diffOf(before, measured(two([3, 2], [1, 0]), share))
  expect(other).toMatchObject({
    cells: [],
    otherMeasures: [{ name: 'x', before: 'points', now: 'share' }],
    parts: { causes: ['scores that came or went'] },
  })
  expect([...(other.parts?.parts.values() ?? [])]).toEqual([[1], [-1]])
  expect(verdictOf(other, 'v1')).toContain('No score was tested. Other metrics or scales: X.')
  // Where less is better now, the win rates' parts add up all the same.
  const turned = measured(two([1, 2], [1, 0]), { measure: 'less', lowerIsBetter: true })
  expect([...(diffOf(before, turned).parts?.parts.values() ?? [])]).toEqual([[1], [-1]])
  // Older files name no metric: their scales tell.
  const old = two([1, 2], [0, 1])
  expect(diffOf(old, measured(two([3, 2], [1, 0]), points)).otherMeasures).toEqual([])
  for (const more of [{ width: 4 }, { width: null }, { lowerIsBetter: true }])
    expect(diffOf(measured(old, more), measured(old, points)).otherMeasures).toHaveLength(1)
  // The oldest say not even what is better: that alone is no other scale.
  const benchmarks = old.benchmarks.map((each) => {
    const told = Object.entries(each).filter(([field]) => field !== 'lowerIsBetter')
    return Object.fromEntries(told) as typeof each
  })
  expect(diffOf({ ...old, benchmarks }, measured(old, points)).otherMeasures).toEqual([])
})

test('Who is not ranked in both releases moved most only where nobody is', () => {
  const placed = (snapshot: Snapshot, places: readonly (number | null)[]): Snapshot => ({
    ...snapshot,
    models: snapshot.models.map((model, at) => ({ ...model, place: places[at] ?? null })),
  })
  const [before, now] = [two([1, 2], [0.1, 0.6]), two([3, 2], [0.9, 0.5])]
  expect(verdictOf(diffOf(placed(before, [null, 1]), placed(now, [1, 2])), 'v1')).toContain(
    'M1 moved most since v1: win rate 0.600 to 0.500',
  )
  expect(verdictOf(diffOf(placed(before, [2, 1]), placed(now, [null, 2])), 'v1')).toContain('M1 moved most')
  expect(verdictOf(diffOf(before, now), 'v1')).toContain('M0 moved most')
})

test('A change is tested on the scale of its own benchmark', () => {
  const of = (score: number): Snapshot => {
    const wide = { low: score - 1, high: score + 1 }
    const plain = two([score, score], [0, 1])
    return {
      ...plain,
      benchmarks: [
        { name: 'share', label: 'S', width: 1, scale: { isBinary: false, range: { low: 0, high: 1 } } },
        { name: 'x', label: 'X', width: 4, scale: { isBinary: false, range: { low: 1, high: 5 } } },
      ],
      models: plain.models.map((each) => ({
        ...each,
        cells: [null, ...each.cells.map((cell) => cell && { ...cell, interval: wide })],
      })),
    }
  }
  // 2 ± √2, of −4 to 4.
  const interval = { low: expect.closeTo(2 - Math.SQRT2, 12), high: expect.closeTo(2 + Math.SQRT2, 12) }
  expect(diffOf(of(2), of(4)).cells).toMatchObject([{ interval }, { interval }])
})

test('Scores without intervals are told as not tested, and as neither changed nor the same', () => {
  expect(verdictOf(diffOf(two([1, 2], [0, 1]), two([3, 2], [1, 0])), 'v1')).toContain(' No score was tested.')
})

test('A win rate that moved by rounding alone is said not to have moved', () => {
  const toldOf = (before: number, now: number): string =>
    verdictOf(diffOf(two([3, 2], [before, 0]), two([3, 2], [now, 0])), 'v1')
  expect(toldOf(0.3, 0.1 + 0.2)).toContain('No win rate moved since v1.')
  expect(toldOf(0.3, 0.3 + 1e-6)).toContain('M0 moved most since v1')
})

test('All that moved as much as the one that moved most are named, with what moved them where that is one', () => {
  const told = verdictOf(diffOf(two([1, 2], [0, 1]), two([3, 2], [1, 0])), 'v1')
  expect(told).toContain('M0 and M1 moved most since v1, their win rates by 1.000 each, by data.')
  const alone = verdictOf(diffOf(two([1, 2], [0, 1]), two([3, 2], [0.5, 0.75])), 'v1')
  expect(alone).toContain('M0 moved most since v1: win rate 0.000 to 0.500')
})

test('What came, went and differs is told of each model and benchmark, surest changes first', () => {
  const scored = (score: number, more: Partial<SnapshotCell> = {}): SnapshotCell =>
    cellOf(score, {
      interval: { low: score - 0.1, high: score + 0.1 },
      jury: ['j'],
      served: ['v1'],
      ...more,
    })
  const before = snapshotOf(
    ['gone', 'x', 'y'],
    [
      modelOf('a', [scored(0.9), scored(0.1), scored(0.2)]),
      modelOf('left', [scored(0.1), scored(0.1), scored(0.1)]),
    ],
  )
  const changed = scored(0.8, { errata: ['e'], served: ['v2'], data: 'e' })
  const now = snapshotOf(
    ['x', 'y', 'new'],
    [
      modelOf('a', [scored(0.15, { served: ['v2'] }), changed, scored(0.5)]),
      modelOf('came', [scored(0.1), scored(0.1), scored(0.1)]),
    ],
  )
  const diff = diffOf(before, now)
  expect([diff.newModels, diff.gone.map(({ label }) => label)]).toEqual([['CAME'], ['LEFT']])
  expect([diff.newBenchmarks, diff.goneBenchmarks]).toEqual([['NEW'], ['GONE']])
  expect(diff.pairs.map(({ benchmark, causes }) => [benchmark, causes])).toEqual([
    ['x', ['model version']],
    ['y', ['data', 'model version', 'errata']],
  ])
  expect(diff.cells.map(({ benchmark }) => benchmark)).toEqual(['y', 'x'])
  expect(diff.moved.map(({ causes }) => [...causes])).toEqual([
    [
      ['model version', 2],
      ['data', 1],
      ['errata', 1],
    ],
    [],
  ])
})

test('Another model behind a judge is another jury, and another profile is told, where both files tell', () => {
  const told = (more: Partial<SnapshotCell>): Snapshot => {
    const plain = two([1, 2], [0, 1])
    return {
      ...plain,
      models: plain.models.map((model) => ({
        ...model,
        cells: model.cells.map((cell) => cell && { ...cell, jury: ['j'], ...more }),
      })),
    }
  }
  const now = told({ judgedBy: ['j-2'], profiles: ['b'] })
  expect(causesBetween(told({ judgedBy: ['j-1'], profiles: ['b'] }), now)).toEqual(['jury'])
  expect(causesBetween(told({ judgedBy: ['j-2'], profiles: ['a'] }), now)).toEqual(['profile'])
  expect(causesBetween(told({}), now)).toEqual([])
})

test('A workspace’s own code and a rubric that is not shown are part of the protocol, measures of own code are not', () => {
  const judged = { criteria: [], scale: { least: 1, most: 5 }, judges: [], rubric: null }
  const of = (code: string, digest: string, measures: BenchmarkAbout['measures'] = []): Snapshot => {
    const suite = sketchSuite()
    return makeSnapshot({
      ...suite,
      benchmarks: suite.board.benchmarks.map(({ name }) => ({
        benchmark: name,
        errata: [],
        data: [],
        measures,
        code: [code],
        jury: { ...judged, digest },
      })),
    })
  }
  const own: BenchmarkAbout['measures'] = [
    {
      name: 'own',
      displayName: 'Own',
      description: '',
      unit: 'share',
      better: 'higher',
      least: 0,
      most: 1,
      of: 'instance',
      version: 'code-2',
      source: '',
    },
  ]
  expect(causesBetween(of('a', 'r'), of('b', 'r'))).toEqual(['protocol'])
  expect(causesBetween(of('a', 'r'), of('a', 's'))).toEqual(['protocol'])
  expect(causesBetween(of('a', 'r'), of('a', 'r', own))).toEqual([])
})
