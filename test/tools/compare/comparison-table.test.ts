import { expect, it } from 'vitest'
import { comparisonRows } from '../../../tools/compare/comparison-table.ts'

const row = (suite: string, scenario: string) => ({
  comparison: {
    suite,
    benchmark: scenario,
    scenario,
    runA: `${scenario}:model=a`,
    runB: `${scenario}:model=b`,
    deploymentB: 'b',
    metric: 'exact_match',
    isMain: true,
    lowerIsBetter: false,
    unpairedA: 0,
    unpairedB: 0,
    lostA: 0,
    lostB: 0,
    helmA: 0,
    helmB: 0,
    unranked: null,
    result: null,
  },
  broken: [],
})

it('Rows of one scenario in two suites say of which they are, others only what they are', () => {
  const [, rows] = comparisonRows([row('old', 'pubmed_qa'), row('two', 'pubmed_qa'), row('old', 'medec')])
  expect(rows.map(([scenario]) => scenario)).toEqual(['pubmed_qa (old)', 'pubmed_qa (two)', 'medec'])
})
