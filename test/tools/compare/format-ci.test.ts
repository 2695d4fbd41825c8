import { describe, expect, it } from 'vitest'
import { parseFailIf } from '../../../targets/compare/fail-if.ts'
import { gateRuns } from '../../../targets/compare/gate-runs.ts'
import type { CiOutcome, CiReport } from '../../../tools/compare/ci-report.ts'
import { formatCi, gateLines } from '../../../tools/compare/format-ci.ts'
import { madeUpComparedRun } from '../../targets/compare/made-up-compared-run.ts'
import { madeUpComparison } from '../../targets/compare/made-up-comparison.ts'

const RESULT = {
  n: 9,
  common: 9,
  sources: 9,
  meanA: 0.5,
  meanB: 0.25,
  difference: -0.25,
  interval: null,
  p: null,
  holm: null,
  bounds: null,
  strict: null,
  mde: null,
  plan: null,
  test: 'none',
} as unknown as ReturnType<typeof madeUpComparison>['result']

const compared = { comparison: madeUpComparison({ result: RESULT }), broken: [] }
const untested = { comparison: madeUpComparison(), broken: [] }
const broken = { ...compared, broken: parseFailIf(['any drops > 0.1']) }

const runOf = (score: (at: number) => number) =>
  madeUpComparedRun(
    { name: 'ward:model=a', scenario: 'ward', deployment: 'a' },
    Array.from({ length: 9 }, (_, at) => ({ id: `i${at}`, digest: `d${at}` })),
    score,
  )
const GATE = gateRuns([])

const report = (more: Partial<CiReport>, ...outcomes: readonly CiOutcome[]): CiReport => ({
  base: 'main',
  total: 4,
  pairs: outcomes.map((outcome) => ({
    suite: 's',
    run: `run \`${outcome}\``,
    why: 'a row',
    calls: 7,
    outcome,
  })),
  removed: [],
  providerCalls: 3,
  judged: [],
  gate: GATE,
  decidedBy: 'gate',
  idle: [],
  ...more,
})
const headOf = (found: CiReport): string | undefined => formatCi(found, 'text').split(': ')[0]
const gate = (verdict: CiReport['gate']['verdict']): Pick<CiReport, 'gate'> => ({
  gate: { ...GATE, verdict },
})

describe('the verdict of a pull request', () => {
  it.each([
    ['nothing changed', report({})],
    ['regression', report({ judged: [compared, broken], decidedBy: 'clauses' }, 'compared')],
    ['regression', report({ ...gate('regressed'), judged: [compared] }, 'compared')],
    [
      'no regression found',
      report({ ...gate('regressed'), judged: [compared], decidedBy: 'clauses' }, 'compared'),
    ],
    ['nothing was compared', report({}, 'new')],
    ['nothing was compared', report({ judged: [untested] }, 'compared')],
    ['no regression found in what was compared', report({ judged: [compared] }, 'compared', 'failed')],
    ['no regression found in what was compared', report({ judged: [compared, untested] }, 'compared')],
    ['inconclusive', report({ ...gate('inconclusive'), judged: [compared] }, 'compared', 'new')],
    [
      'no regression found',
      report({ ...gate('inconclusive'), judged: [compared], decidedBy: 'clauses' }, 'compared'),
    ],
    ['not worse by more than the margins', report({ ...gate('not worse'), judged: [compared] }, 'compared')],
    ['no regression found', report({ ...gate('nothing declared'), judged: [compared] }, 'compared')],
  ])('is “%s”', (verdict, found) => {
    expect(headOf(found)).toBe(verdict)
    expect(formatCi(found, 'markdown').split('\n')[0]).toBe(`### medmake: ${verdict}`)
  })
})

it('A pull request’s report tells calls, pairs and what was not compared, and tables only of what there is', () => {
  const found = report({ judged: [compared], removed: ['old'], idle: ['f1 drops'] }, 'compared', 'incomplete')
  const text = formatCi(found, 'text')
  expect(text).toContain('2 of 4 pairs differ from main; 3 provider calls were made.')
  expect(text).toContain('Removed: old')
  expect(text).toMatch(/^run `incomplete` +a row +7 +incomplete$/m)
  expect(text).toContain('not compared: run `incomplete`: some requests failed: run again')
  expect(text).toContain('no compared run has the metric of "f1 drops"')
  expect(text).toContain('A is the base, B this tree.')
  expect(text).not.toContain('Losses over all runs')
  const gate = gateRuns([{ a: runOf((at) => at % 2), b: runOf((at) => Number(at % 3 === 0)) }])
  const markdown = formatCi({ ...found, judged: [], gate }, 'markdown')
  expect(markdown).toContain('Losses over all runs')
  expect(formatCi({ ...found, gate }, 'text')).toContain('Losses over all runs')
  expect(formatCi(found, 'markdown')).not.toContain('Losses over all runs')
  expect(markdown).not.toContain('A is the base')
  expect(markdown).toContain("| `run 'incomplete'` | `a row` | 7 | incomplete |")
  expect(JSON.parse(formatCi(found, 'json'))).toMatchObject({ base: 'main', providerCalls: 3, judged: [{}] })
  expect(formatCi(found, 'junit')).toContain('errors="1"')
})

it('A pooled loss is told with its margin where one is declared, and claims without one no more than a regression', () => {
  const POOLED = { over: 2, loss: 0.02, upper: 0.05, p: 0.25 }
  const told = (verdict: CiReport['gate']['verdict'], margin?: number) => {
    const pooled = { ...POOLED, verdict, ...(margin !== undefined && { margin }) }
    const rows = [0, 1].map(() => ({ largestFalls: [] }))
    return gateLines({ ...GATE, pooled, rows } as unknown as CiReport['gate'])[0]
  }
  const loss = 'pooled over 2 rows, as a share of the scales: loss +0.020, below 0.050'
  expect(told('inconclusive')).toBe(`${loss}, p 0.250`)
  expect(told('regressed')).toBe(`${loss}, p 0.250: regressed`)
  expect(told('inconclusive', 0.1)).toBe(`${loss}, margin 0.100, p 0.250: inconclusive`)
  expect(told('not worse', 0.1)).toBe(`${loss}, margin 0.100, p 0.250: not worse`)
})
