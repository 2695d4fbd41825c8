import { join } from 'node:path'
import type { BenchmarkContext } from '../../../benchmarks/context/context.ts'
import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import type { SharedEnv } from '../../../targets/env/env.ts'
import { readCards } from '../assemble.ts'
import { remakeRelease } from '../remake.ts'
import { releasedTarget, type Lent } from './released-target.ts'
import { isByOwnCode, ownCode, type OwnCode } from './own-code.ts'
import { queryDatabases } from './query-databases.ts'
import { recordProblems } from './record-problems.ts'
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
  const code = await ownCode(cards, options.benchmarks)
  const { anew, left } = splitCards(cards, code)
  const databases = await queryDatabases(anew, options.databases, options.benchmarks)
  const { files, problems } = await remakeRelease(bundle, release, cards, {
    anew,
    write: (card, folder) =>
      rebuildRun(bundle, folder, card, { env: options.env, databases, code: code.get(card) }),
  })
  return {
    runs: anew.length,
    copied: left,
    files,
    problems,
  }
}

export interface NotScored {
  readonly name: string
  readonly reason: string
}

const WITHHELD = 'its requests and replies are not in the release'
const OWN_CODE = 'code of its own workspace scored it, which is neither in the release nor here as it was'
const NO_DATABASE = 'an older release does not tell on which database its queries were run'

/** Undefined for a run that can be scored again. @param hasCode whether the code that scored it is here */
export const whyLeft = (card: RunCard, hasCode: boolean): string | undefined => {
  const { withheld, queries, database } = card
  if (withheld !== null) return WITHHELD
  if (!hasCode && isByOwnCode(card)) return OWN_CODE
  return queries && database === undefined ? NO_DATABASE : undefined
}

export const splitCards = (
  cards: readonly RunCard[],
  code: ReadonlyMap<RunCard, OwnCode>,
): { readonly anew: readonly RunCard[]; readonly left: readonly NotScored[] } => {
  const reasons = new Map(cards.map((card) => [card, whyLeft(card, code.has(card))]))
  return {
    anew: cards.filter((card) => reasons.get(card) === undefined),
    left: [...reasons].flatMap(([{ name }, reason]) => (reason === undefined ? [] : [{ name, reason }])),
  }
}

const rebuildRun = async (
  bundle: string,
  output: string,
  card: RunCard,
  { env, ...lent }: Lent & { readonly env: SharedEnv },
): Promise<readonly Problem[]> => {
  const { suite, name, promptTokens } = card
  const target = await releasedTarget(bundle, card, lent)
  const replayed = await replayCard(bundle, card, target, {
    env,
    promptTokens: (_prompt, index) => promptTokens?.[index] ?? null,
    client: (deployment) => Promise.reject(missingReply(name, deployment.name)),
  })
  if (replayed === undefined) throw missingReply(name, card.deployment.deployment)
  await writeReplayed(join(output, runPath(suite, name)), target, replayed)
  return recordProblems(card, target, replayed)
}

const missingReply = (run: string, deployment: string): ProblemError =>
  new ProblemError({
    code: 'release/missing-reply',
    message: `${run}: a reply of ${deployment} is neither in the release nor in the cache`,
    remedy: 'Get the release again; a release is reproduced without asking anybody.',
  })
