import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { groupBy } from '../../../cache/lists.ts'
import { createRegistry } from '../../../models/registry/registry.ts'
import { scenarioOf, type Built } from '../../../targets/runs/board-metric.ts'
import { recalledRun } from '../../../targets/runs/recalled-run.ts'
import { readCards } from '../../release/assemble.ts'
import { findRelease } from '../../release/bundle/find-release.ts'
import { withUnpacked } from '../../release/bundle/open-bundle.ts'
import { RELEASE_FILE } from '../../release/release-file.ts'
import type { RunCard } from '../../release/run-card.ts'
import { releasedRun } from '../../release/released-run.ts'
import { unchangedRelease } from '../../release/verify.ts'
import type { Session } from '../../session/session.ts'
import { withRuns, type FilledScenario } from '../../site/history/packed-runs.ts'
import { misplacedText, readHistory, type DatedRelease } from '../../site/history/read-history.ts'
import { runValues, valuedInstances, KnownQuestions } from '../../site/history/run-values.ts'
import type { EarlierRelease } from '../../site/history/snapshot.ts'
import { listFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'

/** What `--history` names, by suite; the last of each with all values of the suite's runs that can be had. */
export const earlierReleases = async (
  output: string,
  runs: readonly Built[],
  { session, invocation }: { readonly session: Session; readonly invocation: Invocation },
): Promise<ReadonlyMap<string, readonly EarlierRelease[]>> => {
  const suites = groupBy(runs, ({ suite }) => suite)
  const found = groupBy(
    await readReleases(output, [...suites.keys()], invocation),
    ({ snapshot: { suite } }) => suite,
  )
  const kept = new Map<string, readonly EarlierRelease[]>()
  for (const [suite, releases] of found)
    kept.set(suite, await withKeptValues(releases, suites.get(suite) ?? [], session))
  return kept
}

/** Found as other commands find a release: by name, folder or archive. */
const readReleases = async (
  output: string,
  suites: readonly string[],
  { flags, cwd, warn }: Invocation,
): Promise<readonly EarlierRelease[]> => {
  const found: EarlierRelease[] = []
  const dated: DatedRelease[] = []
  const isLast = ({ snapshot: { suite } }: EarlierRelease): boolean =>
    !found.some(({ snapshot }) => snapshot.suite === suite)
  for (const given of (listFlag(flags, 'history') ?? []).toReversed())
    found.unshift(
      ...(await withUnpacked(findRelease(given, output, cwd).bundle, async (folder) => {
        const isRelease = existsSync(join(folder, RELEASE_FILE))
        // A release counts as a whole or not at all.
        if (isRelease) dated.unshift({ given, date: (await unchangedRelease(folder)).date })
        const releases = await readHistory(folder, { given, suites })
        return isRelease ? withReleasedValues(releases, isLast, folder) : releases
      })),
    )
  const misplaced = misplacedText(dated)
  if (misplaced !== undefined) warn(misplaced)
  return found
}

/** A release of an older version tells no values in its site: the files of its runs do. @param isLast of its suite */
const withReleasedValues = async (
  releases: readonly EarlierRelease[],
  isLast: (release: EarlierRelease) => boolean,
  bundle: string,
): Promise<readonly EarlierRelease[]> => {
  const cards = await readCards(bundle)
  const known = new KnownQuestions()
  return Promise.all(
    releases.map(async (release) => ({
      ...release,
      snapshot: await withRuns(release.snapshot, async ({ runs, n }, { deployment, benchmark }) => {
        if (runs !== undefined || !isLast(release)) return runs
        const read = await Promise.all(
          cards
            .filter((card) => card.suite === release.snapshot.suite && card.benchmark.name === benchmark)
            .filter((card) => card.deployment.deployment === deployment)
            .map((card) => runOfCard(bundle, card, known)),
        )
        const measured = read.flatMap(({ values }) => [...(values?.values ?? [])])
        // A score may leave out runs that few models have.
        const isOther = measured.filter((value) => !Number.isNaN(value)).length !== n
        return isOther && read.every(({ values }) => values) ? undefined : read
      }),
    })),
  )
}

const runOfCard = async (bundle: string, card: RunCard, known: KnownQuestions): Promise<FilledScenario> => {
  const run = await releasedRun(bundle, card, createRegistry([], []), undefined)
  const { vector } = await run.measured()
  const values = vector && (await runValues(run, vector, known))
  return {
    scenario: scenarioOf(card.name),
    rows: card.record.rowsDigest,
    areMeans: run.adapter.numTrainTrials > 1,
    ...(values ? { values } : { kept: { record: '', target: card.target.digest } }),
  }
}

/** With the values that no site tells, as far as this workspace's store still holds them: of the last release alone. */
const withKeptValues = async (
  releases: readonly EarlierRelease[],
  built: readonly Built[],
  { env }: Pick<Session, 'env'>,
): Promise<readonly EarlierRelease[]> => {
  const last = releases.at(-1)
  if (last === undefined) return releases
  const known = new KnownQuestions()
  const snapshot = await withRuns(last.snapshot, async ({ runs }, { deployment, benchmark }) => {
    const now = built.find(
      ({ target: { spec } }) =>
        spec.benchmark.name === benchmark && spec.adapter.modelDeployment === deployment,
    )
    if (runs === undefined || now === undefined) return runs
    return Promise.all(
      runs.map(async (run): Promise<FilledScenario> => {
        const { kept, rows } = run
        const recalled = kept && (await recalledRun({ ...kept, rows }, now.target, env))
        return recalled === undefined
          ? run
          : {
              ...run,
              values: valuedInstances(recalled.instances, recalled.vector, {
                resultsById: recalled.resultsById,
                known,
              }),
            }
      }),
    )
  })
  return [...releases.slice(0, -1), { ...last, snapshot }]
}
