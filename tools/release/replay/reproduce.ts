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
  readonly copied: readonly NotScored[]
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
  const { anew, left } = splitCards(cards)
  const databases = await queryDatabases(anew, options.databases, options.benchmarks)
  const { files, problems } = await remakeRelease(bundle, release, cards, {
    anew,
    write: (card, folder) => rebuildRun(bundle, folder, card, { env: options.env, databases }),
  })
  return {
    runs: anew.length,
    copied: left,
    files,
    problems,
  }
}

/** A run that can't be scored again, and why. */
export interface NotScored {
  readonly name: string
  readonly reason: string
}

const WITHHELD = 'its requests and replies are not in the release'
const OWN_CODE = 'code of its own workspace scored it, which is not in the release'
const NO_DATABASE = 'an older release does not tell on which database its queries were run'

/** Undefined for a run that can be scored again. */
export const whyLeft = ({
  withheld,
  queries,
  database,
  metrics,
  ownAnnotators,
}: RunCard): string | undefined => {
  if (withheld !== null) return WITHHELD
  if (ownAnnotators !== undefined || metrics.some(({ metric }) => !METRIC_IDS.includes(metric)))
    return OWN_CODE
  return queries && database === undefined ? NO_DATABASE : undefined
}

export const splitCards = (
  cards: readonly RunCard[],
): { readonly anew: readonly RunCard[]; readonly left: readonly NotScored[] } => ({
  anew: cards.filter((card) => whyLeft(card) === undefined),
  left: cards.flatMap((card) => {
    const reason = whyLeft(card)
    return reason === undefined ? [] : [{ name: card.name, reason }]
  }),
})

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
