import type { Comparison } from '../../../targets/compare/compare-runs.ts'

/** Of two runs of a benchmark that nothing is known to divide. */
export const madeUpComparison = (more: Partial<Comparison> = {}): Comparison => ({
  suite: 's',
  benchmark: 'b',
  scenario: 'b',
  runA: 'b:model=x',
  runB: 'b:model=y',
  deploymentB: 'fake/a',
  metric: 'exact_match',
  isMain: true,
  lowerIsBetter: false,
  unpairedA: 0,
  unpairedB: 0,
  lostA: 0,
  lostB: 0,
  causesA: {},
  causesB: {},
  largestFalls: [],
  helmA: null,
  helmB: null,
  unranked: null,
  result: null,
  ...more,
})
