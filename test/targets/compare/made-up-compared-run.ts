import type { ComparedInstance, ComparedRun } from '../../../targets/compare/compared-run.ts'

/** An instance as a test sketches it. */
export interface SketchedInstance extends Pick<ComparedInstance, 'digest'> {
  readonly id: string
  readonly references?: string
  readonly cluster?: string
}

/** The lists of a run that was asked these. */
export const listsOf = (
  instances: readonly SketchedInstance[],
): Pick<ComparedRun, 'ids' | 'clusters' | 'instances'> => ({
  ids: instances.map(({ id }) => id),
  ...(instances.some(({ cluster }) => cluster !== undefined) && {
    clusters: instances.map(({ id, cluster }) => cluster ?? `id ${id}`),
  }),
  instances: instances.map(({ digest, references = '' }) => ({ digest, references })),
})

/** A run of `ward` that is scored right or wrong by `em`; `score` is of an instance's place. */
export const madeUpComparedRun = (
  run: Pick<ComparedRun, 'name' | 'scenario' | 'deployment' | 'results'>,
  instances: readonly SketchedInstance[],
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
  ...listsOf(instances),
  values: new Map([['em', Float64Array.from(instances, (_, at) => score(at))]]),
})
