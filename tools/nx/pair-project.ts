import type { ProjectConfiguration, TargetConfiguration } from 'nx/src/devkit-exports.js'
import { digestJson } from '../../cache/digest.ts'
import type { Prices } from '../../models/prices/price.ts'
import type { Pair } from './pair.ts'
import type { PairFiles } from './pair-files.ts'
import { slug } from './pair-name.ts'
import { REPORT_PATH, resultPath } from './result-path.ts'

type Input = NonNullable<TargetConfiguration['inputs']>[number]

/** Left out, Nx would count every npm package as an input. */
const NO_PACKAGES: Input = { externalDependencies: [] }
const RESULTS: Input = { dependentTasksOutputFiles: '**/*.json' }

export interface PairSurroundings {
  readonly files: PairFiles
  /** Token of the store: a pair is a hit only where its results can be read. */
  readonly store: string
  /** Where Nx finds our executors, e.g. `medmake`. */
  readonly executors: string
}

/**
 * A pair as an Nx project. Nx hashes all of it into each of its tasks, so it holds nothing that may change without
 * meaning another result: a digest of the declarations is in it, and no time, machine or list of other pairs.
 */
export const pairProject = (
  { project, model, scenario, target, suites, key }: Pair,
  { files, store, executors }: PairSurroundings,
): ProjectConfiguration => ({
  name: project,
  root: `targets/${model}/${scenario}`,
  tags: [
    'pair',
    `model:${slug(target.spec.adapter.model)}`,
    `bench:${slug(target.spec.benchmark.name)}`,
    ...suites.map((suite) => `suite:${slug(suite)}`),
  ],
  targets: {
    generate: {
      executor: `${executors}:generate`,
      cache: true,
      inputs: [...files.inside.map(inputOf), NO_PACKAGES],
      outputs: [`{workspaceRoot}/${resultPath(project, 'generate')}`],
      options: { run: target.spec.name, key: digestJson<'target'>([key, files.outside]), store },
    },
    score: {
      executor: `${executors}:score`,
      cache: true,
      dependsOn: ['generate'],
      inputs: [RESULTS, NO_PACKAGES],
      outputs: [`{workspaceRoot}/${resultPath(project, 'score')}`],
      options: { store },
    },
  },
})

/**
 * The project of all pairs together: `report` runs again only when some run's result or a price changed.
 *
 * @param site - its token: without its site the report is made anew
 */
export const leaderboardProject = (
  executors: string,
  { site, store, prices }: { readonly site: string; readonly store: string; readonly prices: Prices },
): ProjectConfiguration => ({
  name: 'leaderboard',
  root: 'targets/leaderboard',
  targets: {
    report: {
      executor: `${executors}:report`,
      cache: true,
      dependsOn: [{ projects: 'tag:pair', target: 'score' }],
      inputs: [RESULTS, NO_PACKAGES],
      outputs: [`{workspaceRoot}/${REPORT_PATH}`],
      options: { prices: pricesDigest(prices), site, store },
    },
  },
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
