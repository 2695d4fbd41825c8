import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BenchmarkContext } from '../../../benchmarks/context/context.ts'
import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import { METRIC_IDS } from '../../../targets/metrics/catalog.ts'
import type { SharedEnv } from '../../../targets/env/env.ts'
import { readAssets } from '../../site/emit/assets.ts'
import { assemble, readCards } from '../assemble.ts'
import { copyFiles, isPrimary } from '../bundle/primary-files.ts'
import { givenOf } from '../release-file.ts'
import { releasedTarget } from './released-target.ts'
import { queryDatabases, type Databases } from './query-databases.ts'
import { replayCard, writeReplayed } from './replay-card.ts'
import { runPath, type RunCard } from '../run-card.ts'
import { compareComputed, unchangedRelease } from '../verify.ts'

export interface Reproduction {
  /** Runs scored anew from their replies. */
  readonly runs: number
  /** Runs of which the release holds aggregates only, and those of older releases that need a database. */
  readonly copied: readonly string[]
  readonly files: number
  readonly problems: readonly Problem[]
}

export interface ReproduceOptions {
  readonly env: SharedEnv
  /** Where the workspace's data is. */
  readonly benchmarks: BenchmarkContext
  /** Files that may be databases on which answers were executed. */
  readonly databases: readonly string[]
}

/**
 * Builds a release again: scores every reply anew, then makes tables, site and release.json, and compares all bytes.
 * Replies come from the bundle, else from the cache; nobody is asked.
 *
 * @throws ProblemError `release/changed-file`, `release/missing-reply`, `release/no-database`
 */
export const reproduceRelease = async (bundle: string, options: ReproduceOptions): Promise<Reproduction> => {
  const release = await unchangedRelease(bundle)
  const temporary = await mkdtemp(join(tmpdir(), 'medmake-reproduce-'))
  try {
    const cards = await readCards(bundle)
    const again = cards.filter(isReplayed)
    const databases = await queryDatabases(again, options.databases, options.benchmarks)
    const replayed = new Set(again.map(({ suite, name }) => `${runPath(suite, name)}/`))
    await copyFiles(
      bundle,
      temporary,
      release.files.filter(
        ({ path }) => isPrimary(path) && ![...replayed].some((folder) => path.startsWith(folder)),
      ),
    )
    for (const card of again) await rebuildRun(bundle, temporary, card, { env: options.env, databases })
    const { release: made } = await assemble(temporary, givenOf(release), {
      assets: await readAssets(),
      withheld: [],
    })
    const { problems } = await compareComputed(release, made.files)
    return {
      runs: again.length,
      copied: cards.filter((card) => !isReplayed(card)).map(({ name }) => name),
      files: made.files.length,
      problems,
    }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** A withheld run has no replies; metrics and annotators of a workspace's own code are not in a release; older releases do not tell on which database queries were run. */
export const isReplayed = ({ withheld, queries, database, metrics, ownAnnotators }: RunCard): boolean =>
  withheld === null &&
  ownAnnotators === undefined &&
  (!queries || database !== undefined) &&
  metrics.every(({ metric }) => METRIC_IDS.includes(metric))

const rebuildRun = async (
  bundle: string,
  output: string,
  card: RunCard,
  { env, databases }: { readonly env: SharedEnv; readonly databases: Databases },
): Promise<void> => {
  const { suite, name, promptTokens } = card
  const target = await releasedTarget(bundle, card, databases)
  const replayed = await replayCard(bundle, card, target, {
    env,
    promptTokens: (_prompt, index) => promptTokens?.[index] ?? null,
    client: (deployment) => Promise.reject(missingReply(name, deployment.name)),
  })
  if (replayed === undefined) throw missingReply(name, card.deployment.deployment)
  await writeReplayed(join(output, runPath(suite, name)), target, replayed)
}

const missingReply = (run: string, deployment: string): ProblemError =>
  new ProblemError({
    code: 'release/missing-reply',
    message: `${run}: a reply of ${deployment} is neither in the release nor in the cache`,
    remedy: 'Get the release again; a release is reproduced without asking anybody.',
  })
