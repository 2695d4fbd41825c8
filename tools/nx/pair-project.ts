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

/**
 * A pair as an Nx project. Nx hashes all of it into each of its tasks, so it holds nothing that may change without
 * meaning another result: a digest of the declarations is in it, and no time, machine or list of other pairs.
 *
 * @param executors - where Nx finds our executors, e.g. `medmake`
 */
export const pairProject = (
  { project, model, scenario, target, suites, key }: Pair,
  files: PairFiles,
  executors: string,
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
      options: { run: target.spec.name, key: digestJson<'target'>([key, files.outside]) },
    },
    score: {
      executor: `${executors}:score`,
      cache: true,
      dependsOn: ['generate'],
      inputs: [RESULTS, NO_PACKAGES],
      outputs: [`{workspaceRoot}/${resultPath(project, 'score')}`],
    },
  },
})

/**
 * The project of all pairs together: `report` runs again only when some run's result or a price changed.
 *
 * @param lost - set when the site has gone: makes the report anew
 */
export const leaderboardProject = (
  executors: string,
  { lost, prices }: { readonly lost: string | undefined; readonly prices: Prices },
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
      options: { prices: pricesDigest(prices), ...(lost === undefined ? {} : { lost }) },
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
