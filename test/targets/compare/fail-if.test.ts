import { describe, expect, it } from 'vitest'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { Comparison } from '../../../targets/compare/compare-runs.ts'
import { failuresOf, metricsNamed, parseFailIf } from '../../../targets/compare/fail-if.ts'
import { madeUpComparison } from './made-up-comparison.ts'
import { pairDifference } from '../../../targets/statistics/paired/pair-difference.ts'

const comparison = (metric: string, change: number, lowerIsBetter: boolean | null = false): Comparison => {
  const a = Array.from({ length: 10 }, (_, index) => index + 1)
  const b = a.map((value, index) => value + change + (index % 2) / 50)
  const result = pairDifference([{ benchmark: 'b', a, b }], { range: { low: 0, high: 20 }, isBinary: false })
  return madeUpComparison({
    metric,
    isMain: metric === 'jury_score',
    lowerIsBetter,
    result: { ...result, holm: 1, mde: null, medhelmMde: null },
  })
}
const broken = (clause: string, found: Comparison): boolean =>
  failuresOf(found, parseFailIf([clause])).length > 0

describe('a clause', () => {
  it.each([
    ['jury_score drops > 0.1', -0.2, true],
    ['jury_score drops > 0.1', -0.05, false],
    ['jury_score drops > 0.1', 0.2, false],
    ['jury_score drops > 0.1, p < 0.05', -0.2, true],
    ['jury_score drops > 0.1, holm < 0.05', -0.2, false],
    ['jury_score drops>.1,p<.05', -0.2, true],
    ['jury_score  drops >  0.1  ,  holm  <  0.05', -0.2, false],
    ['any rises > 0.1', 0.2, true],
    ['any changes > 0.1', -0.2, true],
    ['any worsens > 0', -0.2, true],
    ['rouge_l drops > 0', -0.2, false],
  ])('%s, of a change by %d, holds: %s', (clause, change, holds) => {
    expect(broken(clause, comparison('jury_score', change))).toBe(holds)
  })

  it('takes a change for no more than it is: 3.7 to 3.6 drops by 0.1', () => {
    const found = comparison('jury_score', 0)
    const drop = { ...found, result: found.result && { ...found.result, difference: 3.6 - 3.7 } }
    expect(3.7 - 3.6).toBeGreaterThan(0.1)
    expect(broken('jury_score drops > 0.1', drop)).toBe(false)
    expect(broken('jury_score drops > 0.099999', drop)).toBe(true)
  })

  it('takes the same values in another order for no change', () => {
    const [a, b] = [
      [0.5, 0.8, 0.3, 0.8],
      [0.3, 0.5, 0.8, 0.8],
    ]
    const found = pairDifference([{ benchmark: 'b', a, b }], { range: { low: 0, high: 1 }, isBinary: false })
    const same = madeUpComparison({ result: { ...found, holm: 1, mde: null, medhelmMde: null } })
    expect(broken('any worsens > 0', same) || broken('any changes > 0', same)).toBe(false)
  })

  it('knows what is worse, and does not guess where nobody says', () => {
    expect(broken('any worsens > 0', comparison('jury_score', 0.2, true))).toBe(true)
    expect(broken('any worsens > 0', comparison('jury_score', -0.2, true))).toBe(false)
    expect(broken('any worsens > 0', comparison('jury_score', -0.2, null))).toBe(false)
    expect(broken('any changes > 0', { ...comparison('jury_score', -0.2), result: null })).toBe(false)
  })

  it('that asks for a p does not hold where the data carries none', () => {
    const found = comparison('jury_score', -0.2)
    const untested = { ...found, result: found.result && { ...found.result, p: null, holm: null } }
    expect(broken('any drops > 0.1', untested)).toBe(true)
    expect(broken('any drops > 0.1, p < 0.05', untested)).toBe(false)
    expect(broken('any drops > 0.1, holm < 1', untested)).toBe(false)
  })

  it('meant for any speaks of main metrics only', () => {
    expect(broken('any drops > 0', comparison('rouge_l', -0.2))).toBe(false)
    expect(broken('rouge_l drops > 0', comparison('rouge_l', -0.2))).toBe(true)
  })
})

describe('clauses', () => {
  it('stand in one text, parted by semicolons', () => {
    const clauses = parseFailIf(['jury_score drops > .1, p < 0.05; any worsens > 1', 'f1_score rises > 2'])
    expect(clauses.map(({ text }) => text)).toEqual([
      'jury_score drops > .1, p < 0.05',
      'any worsens > 1',
      'f1_score rises > 2',
    ])
    expect(metricsNamed(clauses)).toEqual(['jury_score', 'f1_score'])
  })

  it.each([
    'jury_score falls > 1',
    'drops > 1',
    'any drops > -1',
    'any drops > 1, q < 0.1',
    'any drops > 1.2.3',
    'any drops > 1, p < 0',
    'any drops > 1, holm < 5',
  ])('such as %s are refused', (text) => {
    expect(() => parseFailIf([text])).toThrow(ProblemError)
  })
})

it('Where no instance has both values nothing moved that a clause could name', () => {
  const made = comparison('jury_score', -5)
  const clauses = parseFailIf(['any changes > 0', 'any worsens > 0'])
  expect(failuresOf(made, clauses)).toHaveLength(2)
  const none = { ...made, result: made.result && { ...made.result, difference: null } }
  expect(failuresOf(none, clauses)).toEqual([])
})
