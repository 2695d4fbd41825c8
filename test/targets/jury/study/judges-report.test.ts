import { describe, expect, it } from 'vitest'
import { judgesReports, type ReportedScores } from '../../../../targets/jury/study/judges-report.ts'

/** Judge c gives a point more; judge a another point to models of its maker. */
const scoreOf = (judge: string, model: string, at: number): number =>
  1 +
  (at % 3) +
  (judge === 'c' ? 1 : 0) +
  (judge === 'a' && model === 'own/x' ? 1 : 0) +
  (at % 7 === model.length % 7 && judge === 'b' ? 0.5 : 0)

const runOf = (model: string, isShown = true): ReportedScores => ({
  benchmark: 'notes',
  model,
  scores: Array.from({ length: 42 }, (_, at) =>
    ['a', 'b', 'c'].map((judge) => ({ instance: `n${at}`, judge, score: scoreOf(judge, model, at) })),
  ).flat(),
  sources: new Map(),
  isShown,
})
const familyOf = (name: string): string => (name === 'a' || name === 'own/x' ? 'Own' : name)

describe('the report on a benchmark’s judges', () => {
  const [report] = judgesReports([runOf('own/x'), runOf('other/y')], familyOf)

  it('tells the lenient judge by a mean difference with an interval over instances', () => {
    const lenient = report?.judges.find(({ judge }) => judge === 'c')?.leniency
    // Mean of a: 0.5 above the base, of b: 0.0714, of c: 1.
    expect(lenient?.value).toBeCloseTo(1 - (0.5 + 0.5 / 7 + 1) / 3, 10)
    expect(lenient?.interval?.low).toBeGreaterThan(0)
    expect(report?.judges.reduce((sum, { leniency }) => sum + (leniency?.value ?? NaN), 0)).toBeCloseTo(0, 10)
  })

  it('tells preference for its own family apart from leniency, adjusted over all families', () => {
    const [own] = report?.kinship ?? []
    expect(own?.family).toBe('Own')
    expect(own?.found?.delta).toBeCloseTo(1, 1)
    expect(own?.holm).toBeLessThan(0.05)
  })

  it('has α for all and for each two, and is the same in whatever order runs come', () => {
    expect(report?.pairs.map(({ judges }) => judges.join(' '))).toEqual(['a b', 'a c', 'b c'])
    for (const { alpha } of report?.pairs ?? []) {
      expect(alpha?.interval?.low).toBeLessThan(alpha?.value ?? -1)
      expect(alpha?.interval?.high).toBeGreaterThan(alpha?.value ?? 1)
    }
    expect(judgesReports([runOf('other/y'), runOf('own/x')], familyOf)).toEqual([report])
  })

  it('names answers that judges are split on, but none of a benchmark that is not public', () => {
    expect(report?.split[0]?.scores.map(({ judge }) => judge)).toEqual(['a', 'b', 'c'])
    expect(judgesReports([runOf('own/x', false), runOf('other/y')], familyOf)[0]?.split).toEqual([])
  })
})
