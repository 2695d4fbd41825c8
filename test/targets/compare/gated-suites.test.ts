import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compareRuns, type RunPair } from '../../../targets/compare/compare-runs.ts'
import type { ComparedRun } from '../../../targets/compare/compared-run.ts'
import { listsOf } from './made-up-compared-run.ts'
import { gateRuns, type GateReport } from '../../../targets/compare/gate-runs.ts'
import type { BoardMetric } from '../../../targets/runs/board-metric.ts'

type Row = readonly [id: string, a: number | null, b: number | null, source?: string]

interface GatedRun {
  readonly benchmark: string
  readonly scenario: string
  readonly model: string
  readonly binary: boolean
  readonly range: readonly [number, number] | null
  readonly lower: boolean | null
  readonly margin: number | null
  readonly floor: number
  readonly same: boolean
  readonly rows: readonly Row[]
}

type Figures = Readonly<Record<string, number | null>>

interface GatedSuite {
  readonly pooledMargin: number | null
  readonly runs: readonly GatedRun[]
  readonly gate: {
    readonly verdict: string
    readonly pooled: (Figures & { readonly verdict: string }) | null
    readonly rows: readonly (Figures & { readonly of: string; readonly verdict: string })[]
    readonly ungated: Readonly<Record<string, string>>
  }
  readonly pairs: readonly (Figures | null)[]
}

/**
 * Made-up suites of judges that fail, constants, ties, one instance, one patient and nothing at all, with what numpy 2.4.6
 * and scipy 1.17.1 make of them: CR2 from the regression's own hat matrix on run dummies, its df from tr(P′P); Tango's score
 * equation by scipy.optimize.brentq; mid-p by scipy.stats.binom; Imbens and Manski's equation by brentq; Holm by hand.
 */
const SUITES = JSON.parse(
  readFileSync(new URL('../../fixtures/statistics/gated-suites.json', import.meta.url), 'utf8'),
) as readonly GatedSuite[]

const metricOf = ({ binary, range, lower }: GatedRun): BoardMetric => ({
  name: 'em',
  split: 'test',
  displayName: 'em',
  description: '',
  isBinary: binary,
  ...(lower === null ? {} : { lowerIsBetter: lower }),
  ...(range && { range: { low: range[0], high: range[1] } }),
})

const sideOf = (run: GatedRun, side: 1 | 2): ComparedRun => {
  const measured = run.rows.filter((row) => row[side] !== null).length
  return {
    suite: 's',
    name: `${run.scenario}:model=${run.model}`,
    scenario: run.scenario,
    benchmark: run.benchmark,
    deployment: run.model,
    mainMetric: 'em',
    main: metricOf(run),
    // As of a run whose judges all failed: it has no value of its metric at all.
    metrics: measured === 0 ? [] : [metricOf(run)],
    coverage: new Map([['em', { evaluated: run.rows.length, measured }]]),
    coverageFloor: run.floor,
    ...(run.margin === null ? {} : { margin: run.margin }),
    helmMeans: new Map(),
    results: run.same ? 'same' : `side ${side}`,
    ...listsOf(
      run.rows.map(([id, , , cluster]) => ({
        id,
        digest: `${run.scenario} ${id}`,
        ...(cluster !== undefined && { cluster }),
      })),
    ),
    values: new Map([['em', Float64Array.from(run.rows, (row) => row[side] ?? NaN)]]),
  }
}

const pairsOf = ({ runs }: GatedSuite): readonly RunPair[] =>
  runs.map((run) => ({ a: sideOf(run, 1), b: sideOf(run, 2) }))

/** The expected figures, with room for rounding. */
const near = (figures: Readonly<Record<string, number | string | null>>): object =>
  Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name,
      typeof value === 'number' ? (expect.closeTo(value, 7) as unknown) : value,
    ]),
  )

describe.each(SUITES.map((suite, at) => [at, suite] as const))('suite %i', (_, suite) => {
  test('is gated as numpy and scipy have it', () => {
    const report: GateReport = gateRuns(pairsOf(suite), suite.pooledMargin ?? undefined)
    const nameOf = (row: { readonly deployment: string; readonly benchmark: string }): string =>
      `${row.deployment} on ${row.benchmark}`
    expect(report.verdict).toBe(suite.gate.verdict)
    if (suite.gate.pooled === null) expect(report.pooled).toBeNull()
    else expect(report.pooled).toMatchObject(near(suite.gate.pooled))
    expect(report.rows.map((row) => ({ ...row, of: nameOf(row) }))).toMatchObject(suite.gate.rows.map(near))
    expect(report.rows).toHaveLength(suite.gate.rows.length)
    expect(Object.fromEntries(report.ungated.map((row) => [nameOf(row), row.reason]))).toEqual(
      suite.gate.ungated,
    )
  })

  test('is compared run by run as they have it', () => {
    const comparisons = compareRuns(pairsOf(suite))
    expect(comparisons).toHaveLength(suite.pairs.length)
    for (const [at, comparison] of comparisons.entries()) {
      const [expected, found] = [suite.pairs[at] ?? null, comparison.result]
      if (expected === null || found === null) expect(found).toBe(expected)
      else {
        const { p, holm, difference, interval } = found
        const [low, high] = [interval?.low ?? null, interval?.high ?? null]
        expect({ p, holm, difference, low, high }).toEqual(near(expected))
      }
    }
  })
})

const WARD: Omit<GatedRun, 'rows'> = {
  benchmark: 'ward',
  scenario: 'ward',
  model: 'm',
  binary: true,
  range: [0, 1],
  lower: false,
  margin: 0.1,
  floor: 0,
  same: false,
}

test('a benchmark whose first run came to nothing is still gated by what its other runs could lose', () => {
  const run = (scenario: string, b: number | null): GatedRun => ({
    ...WARD,
    scenario,
    rows: Array.from({ length: 12 }, (_, at): Row => [`${at}`, at % 2, b === null ? null : at % 2]),
  })
  const runs = [run('ward:x=1', null), run('ward:x=2', 1)]
  const { rows, ungated, verdict } = gateRuns(
    runs.map((each) => ({ a: sideOf(each, 1), b: sideOf(each, 2) })),
  )
  expect(ungated).toEqual([])
  // All of the first run's answers may be wrong, or right.
  expect(rows).toMatchObject([
    { n: 24, common: 12, bounds: { low: -0.25, high: 0.25 }, verdict: 'inconclusive' },
  ])
  expect(verdict).toBe('inconclusive')
})

test('runs of which nothing at all could be read, on either side, leave all open', () => {
  const empty: GatedRun = {
    ...WARD,
    rows: [
      ['0', null, null],
      ['1', null, null],
    ],
  }
  const pair = { a: sideOf(empty, 1), b: sideOf(empty, 2) }
  expect(gateRuns([pair])).toMatchObject({
    verdict: 'inconclusive',
    rows: [{ common: 0, bounds: { low: -1, high: 1 } }],
  })
  expect(compareRuns([pair])).toMatchObject([
    { metric: 'em', result: { n: 2, common: 0, p: 1, difference: null } },
  ])
})
