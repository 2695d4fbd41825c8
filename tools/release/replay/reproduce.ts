import { join } from 'node:path'
import type { BenchmarkContext } from '../../../benchmarks/context/context.ts'
import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import { METRIC_IDS } from '../../../targets/metrics/catalog.ts'
import type { SharedEnv } from '../../../targets/env/env.ts'
import { readCards } from '../assemble.ts'
import { remakeRelease } from '../remake.ts'
import { releasedTarget } from './released-target.ts'
import { queryDatabases, type Databases } from './query-databases.ts'
import { replayCard, writeReplayed } from './replay-card.ts'
import { runPath, type RunCard } from '../run-card.ts'
import { unchangedRelease } from '../verify.ts'

interface Reproduction {
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
  const cards = await readCards(bundle)
  const anew = cards.filter(isReplayed)
  const databases = await queryDatabases(anew, options.databases, options.benchmarks)
  const { files, problems } = await remakeRelease(bundle, release, cards, {
    anew,
    write: (card, folder) => rebuildRun(bundle, folder, card, { env: options.env, databases }),
  })
  return {
    runs: anew.length,
    copied: cards.filter((card) => !isReplayed(card)).map(({ name }) => name),
    files,
    problems,
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
