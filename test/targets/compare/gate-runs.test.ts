import { describe, expect, test } from 'vitest'
import type { ComparedRun } from '../../../targets/compare/compared-run.ts'
import { gateRuns } from '../../../targets/compare/gate-runs.ts'
import { madeUpComparedRun } from './made-up-compared-run.ts'

const INSTANCES = Array.from({ length: 40 }, (_, at) => ({ id: `i${at}`, digest: `d${at}` }))

/** Scored from 0 to 4, and may lose 0.4. */
const run = (score: (at: number) => number, more: Partial<ComparedRun> = {}): ComparedRun => {
  const made = madeUpComparedRun(
    { name: 'ward:model=a', scenario: 'ward', deployment: 'a' },
    INSTANCES,
    score,
  )
  const metrics = made.metrics.map((metric) => ({ ...metric, isBinary: false, range: { low: 0, high: 4 } }))
  return { ...made, metrics, margin: 0.4, ...more }
}
const level = (at: number): number => 2 + (at % 3) / 10

describe('runs that are gated', () => {
  test('are told in points: what was lost, how much may be, and where the most', () => {
    const falls = new Map([
      [3, 1],
      [7, 2],
      [11, 0.5],
      [15, 1.5],
    ])
    const a = run(level)
    const b = run((at) => level(at) - (falls.get(at) ?? -0.05))
    const [row] = gateRuns([{ a, b }]).rows
    expect(row?.margin).toBeCloseTo(0.4, 12)
    expect(row?.loss).toBeCloseTo((5 - 36 * 0.05) / 40, 12)
    expect(row?.largestFalls).toEqual([2, 1.5, 1].map((fall) => expect.closeTo(fall, 12) as unknown))
    expect(gateRuns([{ a, b: run((at) => level(at) + (at % 2) / 10) }]).rows[0]?.largestFalls).toEqual([])
  })

  test('name no falls of answers that are right or wrong, each of which is the whole scale', () => {
    const right = (from: number): ComparedRun =>
      madeUpComparedRun({ name: 'ward:model=a', scenario: 'ward', deployment: 'a' }, INSTANCES, (at) =>
        Number(at > from),
      )
    const [row] = gateRuns([{ a: right(2), b: right(9) }]).rows
    expect(row).toMatchObject({ loss: 7 / 40, largestFalls: [] })
  })

  test('are unchanged only where a digest of all results says so', () => {
    const [a, b] = [run(level, { results: 'r' }), run(level, { results: 'r' })]
    expect(gateRuns([{ a, b }])).toMatchObject({ rows: [], ungated: [{ reason: 'unchanged' }] })
    // A folder of HELM's files forms none.
    expect(gateRuns([{ a: run(level), b: run(level) }])).toMatchObject({ rows: [{ loss: 0 }], ungated: [] })
  })

  test('decide nothing where either side covers too little', () => {
    const short = run(level, { coverage: new Map([['em', { evaluated: 40, measured: 20 }]]) })
    const whole = run(level)
    for (const pair of [
      { a: short, b: whole },
      { a: whole, b: short },
    ])
      expect(gateRuns([pair])).toMatchObject({
        rows: [],
        ungated: [{ reason: 'under its floor of coverage' }],
        verdict: 'inconclusive',
      })
  })

  test('are not called not worse beside one whose margin nothing is held to', () => {
    const endless = (made: ComparedRun): ComparedRun => ({
      ...made,
      benchmark: 'seconds',
      metrics: made.metrics.map(({ range: _range, ...metric }) => metric),
    })
    const [a, b] = [run(level), run((at) => level(at) + (at % 2) / 10)]
    expect(gateRuns([{ a, b }]).verdict).toBe('not worse')
    const other = { a: endless(a), b: endless(b) }
    expect(gateRuns([{ a, b }, other]).verdict).toBe('inconclusive')
    expect(gateRuns([other]).verdict).toBe('inconclusive')
    const { margin: _, ...unmargined } = b
    const free = { a, b: { ...unmargined, benchmark: 'free' } }
    expect(gateRuns([free, other]).verdict).toBe('inconclusive')
    const same = { a: { ...other.a, results: 'r' }, b: { ...other.b, results: 'r' } }
    expect(gateRuns([{ a, b }, same]).verdict).toBe('not worse')
  })

  test('are one benchmark each in each suite, at 2.5 % for all of them', () => {
    const [a, b] = [run(level), run((at) => level(at) - (at % 2) / 50)]
    const report = gateRuns([
      { a, b },
      { a: { ...a, suite: 't' }, b: { ...b, suite: 't' } },
    ])
    expect(report.rows.map(({ suite }) => suite)).toEqual(['s', 't'])
    expect(report.alpha).toBe(0.025)
    // Half of it is left to the mean of all where that is not sure.
    expect(gateRuns([{ a, b: run(level) }]).familyLevel).toBe(0.0125)
  })

  test('are told their bounds in points where something is missing', () => {
    const values = (at: number): number => (at === 0 ? NaN : level(at))
    const [row] = gateRuns([{ a: run(level), b: run(values) }]).rows
    // The first is 2 of 4 points by the base; the new run may have lost both, or won two.
    expect(row?.bounds).toEqual({ low: expect.closeTo(-2 / 40, 12), high: expect.closeTo(2 / 40, 12) })
    expect(row).toMatchObject({ n: 40, common: 39 })
  })

  test('are left open by nothing that the very same replies leave open on both sides', () => {
    const values = (at: number): number => (at < 3 ? NaN : level(at))
    const withResults = (own: string): ComparedRun => {
      const made = run(values)
      return {
        ...made,
        instances: made.instances.map((each, at) =>
          at < 2 ? { ...each, results: at < 1 ? 'r' : own } : each,
        ),
      }
    }
    const gated = (b: string) => gateRuns([{ a: withResults('same'), b: withResults(b) }])
    const near = (size: number) => ({ low: expect.closeTo(-size, 12), high: expect.closeTo(size, 12) })
    // Of three without a value two have other replies, or none that is known.
    expect(gated('other').rows[0]?.bounds).toEqual(near(8 / 40))
    expect(gated('same').rows[0]?.bounds).toEqual(near(4 / 40))
    expect(gated('same').pooled?.bounds).toEqual(near(1 / 40))
  })

  test('count no answer as lost or won whose very same judgement could be read on neither side', () => {
    const side = (results: string): ComparedRun => {
      const made = run((at) => (at < 6 ? NaN : at % 2))
      const metrics = made.metrics.map((each) => ({ ...each, isBinary: true, range: { low: 0, high: 1 } }))
      return { ...made, metrics, instances: made.instances.map((each) => ({ ...each, results })) }
    }
    const rowOf = (a: string, b: string) => gateRuns([{ a: side(a), b: side(b) }]).rows[0]
    // Nothing differs: Tango's upper end of 0 of 40, and z² / (n + z²).
    expect(rowOf('r', 'r')).toMatchObject({ n: 40, common: 34, p: 0.5, verdict: 'not worse' })
    expect(rowOf('r', 'r')?.upper).toBeCloseTo(1.959963984540054 ** 2 / (40 + 1.959963984540054 ** 2), 10)
    // Each of six may be lost, or won: (1/2)^6, halved by mid-p.
    expect(rowOf('r', 's')?.p).toBeCloseTo(1 - 0.5 ** 7, 12)
    expect(rowOf('r', 's')?.upper).toBeGreaterThan(0.25)
  })

  test('are left out where they share no instance, or a value lies off the scale', () => {
    const other = {
      ...run(level),
      ids: run(level).ids.map((id) => `x${id}`),
      instances: run(level).instances.map((each) => ({ ...each, digest: `x${each.digest}` })),
    }
    expect(gateRuns([{ a: run(level), b: other }]).ungated).toMatchObject([{ reason: 'no common instance' }])
    const off = run((at) => (at === 1 ? 4.1 : level(at)))
    for (const pair of [
      { a: run(level), b: off },
      { a: off, b: run(level) },
    ])
      expect(gateRuns([pair]).ungated).toMatchObject([{ reason: 'values lie off the scale' }])
    // A second run that shares nothing adds no evidence and takes none away.
    const pair = { a: run(level), b: run((at) => level(at) - (at % 2) / 50) }
    const alone = gateRuns([pair]).rows
    const beside = { a: { ...run(level), scenario: 'ward:x=2' }, b: { ...other, scenario: 'ward:x=2' } }
    expect(gateRuns([pair, beside]).rows).toEqual(alone)
  })

  test('are not worse as a whole only where each names a margin and keeps it', () => {
    const a = run(level)
    const even = { a, b: run((at) => level(at) + (at % 2 === 0 ? 0.001 : -0.001)) }
    const { margin: _, ...open } = { ...even.b, benchmark: 'clinic' }
    const openPair = { a: { ...a, benchmark: 'clinic' }, b: open }
    expect(gateRuns([openPair]).verdict).toBe('nothing declared')
    expect(gateRuns([even], 0.1).verdict).toBe('not worse')
    expect(gateRuns([even, openPair], 0.1).verdict).toBe('nothing declared')
  })
})
