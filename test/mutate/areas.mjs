// What is mutated, and the tests that must notice: those of the repository alone, in process.
export const areas = {
  keys: {
    mutate: ['targets/keys', 'cache/values/digest.ts'],
    tests: ['targets/keys', 'cache/key.test.ts', 'targets/walk'],
  },
  access: {
    mutate: ['targets/access', 'targets/env', 'benchmarks/access'],
    tests: ['targets/access', 'targets/env', 'benchmarks/access'],
  },
  spend: { mutate: ['targets/spend'], tests: ['targets/spend'] },
  limits: {
    mutate: ['models/limits', 'models/retry.ts'],
    tests: ['models/limits', 'models/retry.test.ts'],
  },
  jury: { mutate: ['targets/jury'], tests: ['targets/jury'] },
  ratings: { mutate: ['targets/ratings'], tests: ['targets/ratings'] },
  metrics: { mutate: ['targets/metrics'], tests: ['targets/metrics'] },
  statistics: {
    mutate: ['targets/statistics'],
    tests: [
      'targets/statistics',
      'targets/compare/column-tests.test.ts',
      'targets/compare/compare-models.test.ts',
      'targets/compare/rank-by-average.test.ts',
      'targets/compare/fail-if.test.ts',
      'targets/jury/study',
      'targets/metrics/scoring',
      'targets/estimate/total-range.test.ts',
    ],
  },
}
