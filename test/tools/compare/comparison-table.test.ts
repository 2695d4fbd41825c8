import { expect, it } from 'vitest'
import type { Comparison } from '../../../targets/compare/compare-runs.ts'
import { parseFailIf } from '../../../targets/compare/fail-if.ts'
import { madeUpComparison } from '../../targets/compare/made-up-comparison.ts'
import {
  brokenLines,
  comparisonRows,
  fallLines,
  missingLines,
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

const RESULT = {
  meanA: 0.5,
  meanB: 0.75,
  difference: 0.25,
  interval: { low: 0.1, high: 0.4 },
  p: 0.01,
  holm: 0.02,
  bounds: null,
  strict: null,
  mde: 0.2,
  plan: {},
  test: 't',
  isBorderline: false,
} as unknown as NonNullable<Comparison['result']>

it.each([
  [{ n: 120, common: 120, sources: 120 }, 0, '120'],
  [{ n: 120, common: 120, sources: 40 }, 0, '120 in 40'],
  [{ n: 120, common: 118, sources: 118 }, 0, '118 of 120'],
  [{ n: 120, common: 118, sources: 39 }, 2, '118 of 120 in 39 (2|0 unpaired)'],
])(
  'A row says of how many instances it is, of all and in how many sources: %j',
  (result, unpairedA, told) => {
    const comparison = madeUpComparison({ unpairedA, result: { ...RESULT, ...result } })
    const [heads, [cells]] = comparisonRows([{ comparison, broken: [] }])
    expect(cells?.[heads.indexOf('n')]).toBe(told)
  },
)

it('A row tells both means, the difference of B from A, its test, and what could have been found', () => {
  const told = (more: object) =>
    comparisonRows([
      { comparison: madeUpComparison({ result: { ...RESULT, ...more } }), broken: [] },
    ])[1][0]?.slice(3)
  expect(told({})).toEqual([
    '0.500',
    '0.750',
    '+0.250',
    '+0.100 … +0.400',
    '0.010',
    '0.020',
    'B above',
    '0.200',
    't, CR2',
  ])
  expect(told({ holm: 0.06, isBorderline: true, mde: null })).toMatchObject({
    5: '0.060',
    6: 'no difference found, borderline',
    7: 'none at this n',
  })
  expect(told({ holm: null, isBorderline: true, mde: null, plan: null, reason: 'one source' })).toMatchObject(
    {
      6: 'not tested',
      7: 'one source',
    },
  )
})

it('What either side lacks is told with its causes, where the difference of all lies, and what HELM makes of it', () => {
  const told = (lostA: number, lostB: number, more: object = {}) => {
    const result = { ...RESULT, n: 20, ...more }
    const comparison = madeUpComparison({
      lostA,
      lostB,
      causesB: { 'judge-unparseable': 2 },
      helmA: 0.5,
      result,
    })
    return missingLines([{ comparison, broken: [] }])
  }
  const helm = "; HELM's means, defaults included: A 0.500, B –"
  const lacks = 'missing: b, exact_match of b:model=y: A lacks 0, B 2 (2 unreadable judgements) of 20'
  expect(told(0, 0)).toEqual([])
  expect(told(0, 2)).toEqual([`${lacks}${helm}`])
  expect(told(2, 0)).toHaveLength(1)
  const strict = { interval: { low: -0.1, high: 0.3 }, p: 0.25 }
  expect(told(0, 2, { bounds: { low: -0.25, high: 0.5 }, strict })).toEqual([
    `${lacks}, B − A of all lies in −0.250 … +0.500; on common instances alone −0.100 … +0.300, p 0.250${helm}`,
  ])
  expect(told(0, 2, { strict: { ...strict, p: null } })).toEqual([`${lacks}${helm}`])
  expect(missingLines([{ comparison: madeUpComparison({ lostA: 2 }), broken: [] }])).toEqual([])
})
