import { expect, it } from 'vitest'
import { parseFailIf } from '../../../targets/compare/fail-if.ts'
import { madeUpComparison } from '../../targets/compare/made-up-comparison.ts'
import {
  brokenLines,
  comparisonRows,
  fallLines,
  unrankedLines,
} from '../../../tools/compare/comparison-table.ts'

const row = (suite: string, scenario: string) => ({
  comparison: madeUpComparison({ suite, benchmark: scenario, scenario, runA: `${scenario}:model=a` }),
  broken: [],
})

it('Rows of one scenario in two suites say of which they are, others only what they are', () => {
  const [, rows] = comparisonRows([row('old', 'pubmed_qa'), row('two', 'pubmed_qa'), row('old', 'medec')])
  expect(rows.map(([scenario]) => scenario)).toEqual(['pubmed_qa (old)', 'pubmed_qa (two)', 'medec'])
})

it('A side that lacks too much is told with what it lacks, and falls beside the means', () => {
  const { comparison, broken } = row('main', 'notes')
  const under = { evaluated: 24, measured: 24, judgements: { wanted: 48, read: 40 }, floor: 0.99 }
  const lost = {
    ...comparison,
    causesA: { 'judge-unparseable': 6, 'judge-out-of-range': 2 },
    largestFalls: [3, 2.5],
    unranked: { n: 16, meanA: 2, meanB: 1, a: under, b: null },
  }
  expect(unrankedLines([{ comparison: lost, broken }])).toEqual([
    'not compared: notes, exact_match of b:model=y: A: 83.3 % of judgements read, under the floor of 99.0 % (6 unreadable judgements, 2 judgements out of range)',
  ])
  expect(fallLines([{ comparison: lost, broken }])).toEqual([
    'largest falls of single instances, A to B: notes, exact_match of b:model=y: 3.000, 2.500',
  ])
})

it('a clause that holds without a test names no p', () => {
  const { comparison } = row('main', 'notes')
  const broken = parseFailIf(['any drops > 0.1'])
  expect(brokenLines([{ comparison, broken }])[0]).toContain('p – (any drops > 0.1)')
})
