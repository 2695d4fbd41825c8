import { posix } from 'node:path'
import type { ProjectConfiguration, TargetConfiguration } from '@nx/devkit'
import { digestJson } from '../../../cache/values/digest.ts'
import type { Prices } from '../../../models/prices/price.ts'
import type { Pair } from './pair.ts'
import type { PairFiles } from './pair-files.ts'
import { slug } from './pair-name.ts'
import type { PairOptions } from '../pair-options.ts'
import type { TargetNames } from '../plugin-options.ts'
import { REPORT_PATH, resultPath } from '../result-path.ts'

export const LEADERBOARD = 'leaderboard'

/** Shown by Nx's graph and Console. */
export const TECHNOLOGIES = ['medmake']

type Input = NonNullable<TargetConfiguration['inputs']>[number]

/** Left out, Nx would count every npm package as an input. */
const NO_PACKAGES: Input = { externalDependencies: [] }
const RESULTS: Input = { dependentTasksOutputFiles: '**/*.json' }

interface PairSurroundings {
  readonly files: PairFiles
  /** Token of the store: a pair is a hit only where its results can be read. */
  readonly store: string
  /** Where Nx finds our executors, e.g. `medmake`. */
  readonly executors: string
  readonly names: TargetNames
  /** Those whose pairs are projects; none: all of the workspace. */
  readonly suites: readonly string[]
}

/**
 * A pair as an Nx project. Nx hashes all of it into each of its tasks, so it holds nothing that may change without
 * meaning another result: a digest of the declarations is in it, and no time, machine or list of other pairs.
 */
export const pairProject = (
  { project, model, scenario, target, suites, key }: Pair,
  { files, store, executors, names, suites: chosen }: PairSurroundings,
): ProjectConfiguration => ({
  name: project,
  root: `targets/${model}/${scenario}`,
  tags: [
    'pair',
    `model:${slug(target.spec.adapter.model)}`,
    `bench:${slug(target.spec.benchmark.name)}`,
    ...suites.map((suite) => `suite:${slug(suite)}`),
  ],
  metadata: {
    description: `${target.spec.benchmark.displayName}, answered by ${target.spec.adapter.model}`,
    technologies: TECHNOLOGIES,
  },
  targets: {
    [names.generate]: {
      executor: `${executors}:generate`,
      cache: true,
      inputs: [...files.inside.map(inputOf), NO_PACKAGES],
      outputs: [`{workspaceRoot}/${resultPath(project, 'generate')}`],
      options: {
        run: target.spec.name,
        key: digestJson<'target'>([key, files.outside]),
        ...found(store, chosen),
      },
      metadata: {
        description: 'Asks the model for the completions that the store lacks',
        technologies: TECHNOLOGIES,
        help: { command: 'npx medmake run --help', example: {} },
      },
    },
    [names.score]: {
      executor: `${executors}:score`,
      cache: true,
      dependsOn: [names.generate],
      inputs: [RESULTS, NO_PACKAGES],
      outputs: [`{workspaceRoot}/${resultPath(project, 'score')}`],
      options: found(store, chosen),
      metadata: {
        description: "Asks the judges, measures the metrics, writes HELM's files of the run",
        technologies: TECHNOLOGIES,
        help: { command: 'npx medmake explain --help', example: {} },
      },
    },
  },
})

/** Names, suites, categories, floors and prices: what a board shows beside results stands in these. */
const DECLARATIONS = [
  'medmake.yaml',
  'targets/*.conf',
  'models/*.yaml',
  'benchmarks/*.yaml',
  'benchmarks/*/benchmark.yaml',
]

/**
 * The project of all pairs together: `report` runs again only when some run's result, a declaration or a price changed.
 * @param site - its token: without its site the report is made anew
 */
export const leaderboardProject = ({
  executors,
  names,
  site,
  store,
  suites,
  prices,
  localPath,
}: Omit<PairSurroundings, 'files'> & {
  readonly site: string
  readonly prices: Prices
  /** Relative to the workspace. */
  readonly localPath: string
}): ProjectConfiguration => ({
  name: LEADERBOARD,
  root: 'targets/leaderboard',
  tags: ['leaderboard'],
  metadata: { description: 'All pairs side by side', technologies: TECHNOLOGIES },
  targets: {
    [names.report]: {
      executor: `${executors}:report`,
      cache: true,
      dependsOn: [{ projects: 'tag:pair', target: names.score }],
      inputs: [RESULTS, ...[...DECLARATIONS, ...modelsIn(localPath)].map(inputOf), NO_PACKAGES],
      outputs: [`{workspaceRoot}/${REPORT_PATH}`],
      options: { prices: pricesDigest(prices), site, ...found(store, suites) },
      metadata: {
        description: 'Prints the ranked table and writes the leaderboard as a static site',
        technologies: TECHNOLOGIES,
        help: { command: 'npx medmake report --help', example: {} },
      },
    },
  },
})

/** Nx hashes nothing that lies outside. */
const modelsIn = (localPath: string): readonly string[] =>
  localPath.startsWith('..') ? [] : [posix.join(localPath, '*.yaml')]

/** What executors find the pairs by: other suites may give another pair the same name. */
const found = (store: string, suites: readonly string[]): PairOptions => ({
  store,
  ...(suites.length === 0 ? {} : { suites }),
})

const pricesDigest = (prices: Prices): string =>
  digestJson<'aggregate'>(
    [...prices.values()].map(({ deployment, input, cachedInput = input, output }) => [
      deployment,
      input,
      cachedInput,
      output,
    ]),
  )

/** Data under .gitignore counts, too: who keeps patients' texts out of git still wants their edits seen. */
const inputOf = (file: string): Input => ({ fileset: `{workspaceRoot}/${file}`, includeIgnored: true })
