import { expect, it } from 'vitest'
import type { ComparedRun } from '../../../targets/compare/compared-run.ts'
import { gateRuns } from '../../../targets/compare/gate-runs.ts'
import { ciJunit, GATE_COLUMNS, gateLines } from '../../../tools/compare/format-ci.ts'
import { madeUpComparedRun } from '../../targets/compare/made-up-compared-run.ts'

const run = (benchmark: string, instances: number, score: (at: number) => number): ComparedRun => ({
  ...madeUpComparedRun(
    { name: `${benchmark}:model=a`, scenario: benchmark, deployment: 'a' },
    Array.from({ length: instances }, (_, at) => ({ id: `i${at}`, digest: `d${at}` })),
    score,
  ),
  benchmark,
})
const pair = (benchmark: string, instances: number) => ({
  a: run(benchmark, instances, (at) => at % 2),
  b: run(benchmark, instances, (at) => Number(at % 3 === 0)),
})

it('counts the rows that the pooled loss is over, and says what the others lack', () => {
  const pooled = (...pairs: Parameters<typeof gateRuns>[0]): string | undefined =>
    gateLines(gateRuns(pairs)).find((line) => line.startsWith('pooled'))
  expect(pooled(pair('x', 12), pair('y', 9))).toMatch(/^pooled over 2 rows, as a share of the scales/)
  expect(pooled(pair('x', 12), pair('one', 1))).toMatch(
    /^pooled over 1 row of 2, as the others have one source, as a share of the scales/,
  )
})

it('says how likely a rerun finds or clears a loss, and nothing of it where that is not known', () => {
  const [row] = gateRuns([pair('x', 12)]).rows
  if (row === undefined) throw new Error('no row')
  const shown = (more: Partial<typeof row>) =>
    GATE_COLUMNS.slice(-3).map(([, cell]) => cell({ ...row, verdict: 'inconclusive', margin: null, ...more }))
  const unknown = { powerToFindMargin: undefined, powerToClear: undefined } as object
  expect(shown(unknown)).toEqual(['–', '–', 'no regression found'])
  expect(shown({ margin: 0.1, powerToFindMargin: 0.9991, powerToClear: 0.25 })).toEqual([
    '> 99.9 %',
    '25.0 %',
    'inconclusive',
  ])
})

it('fails in JUnit by the pooled loss alone, and nowhere where clauses decide', () => {
  const lost = (benchmark: string) => ({
    a: run(benchmark, 40, (at) => Number(at < 30)),
    b: run(benchmark, 40, (at) => Number(at < 26)),
  })
  const gate = gateRuns(['v', 'w', 'x', 'y'].map(lost))
  expect(gate).toMatchObject({ verdict: 'regressed', pooled: { verdict: 'regressed' } })
  const xmlOf = (decidedBy: 'gate' | 'clauses'): string =>
    ciJunit({
      base: 'main',
      total: 4,
      pairs: [],
      removed: [],
      providerCalls: 0,
      judged: [],
      gate,
      decidedBy,
      idle: [],
    })
  const regressed = gate.rows.filter(({ verdict }) => verdict === 'regressed').length
  expect(regressed).toBe(0)
  expect(xmlOf('gate')).toContain('tests="5" failures="1"')
  expect(xmlOf('clauses')).toContain('tests="5" failures="0"')
})
