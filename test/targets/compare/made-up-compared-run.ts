import type { ComparedInstance, ComparedRun } from '../../../targets/compare/compared-run.ts'

/** A run of `ward` that is scored right or wrong by `em`; `score` is of an instance's place. */
export const madeUpComparedRun = (
  run: Pick<ComparedRun, 'name' | 'scenario' | 'deployment' | 'results'>,
  instances: readonly (Pick<ComparedInstance, 'id' | 'digest'> & { readonly cluster?: string })[],
  score: (at: number) => number,
): ComparedRun => ({
  ...run,
  suite: 's',
  benchmark: 'ward',
  mainMetric: 'em',
  metrics: [
    {
      name: 'em',
      split: 'test',
      displayName: 'em',
      description: '',
      isBinary: true,
      lowerIsBetter: false,
      range: { low: 0, high: 1 },
    },
  ],
  coverage: new Map([['em', { evaluated: instances.length, measured: instances.length }]]),
  coverageFloor: 0.99,
  helmMeans: new Map(),
  instances: instances.map((instance, at) => ({
    ...instance,
    references: '',
    values: new Map([['em', score(at)]]),
  })),
})
