import { existsSync } from 'node:fs'
import { tierOf } from '../cli/common/tier-flags.ts'
import type { TierUse } from '../session/tier/session-tier.ts'
import { tierUse } from '../session/tier/tier-use.ts'
import type { Workspace } from '../session/workspace/workspace.ts'
import type { KeptToken } from './kept-token.ts'

/** Set for Nx's own remote cache. */
const REMOTE = 'NX_SELF_HOSTED_REMOTE_CACHE_SERVER'

/**
 * The tier of medmake.yaml: what other machines paid for is read from it, so that a workspace whose store lacks what Nx's
 * remote cache names makes it at no call. Where there is none, that is said before anything is asked.
 */
export const sharedTier = async (
  workspace: Workspace,
  { token }: KeptToken,
): Promise<TierUse | undefined> => {
  const { env } = process
  const tier = await tierOf({ flags: {}, cwd: workspace.root, env }, workspace)
  if (tier !== undefined) return tierUse(tier, workspace.config)
  if (env[REMOTE] !== undefined && !existsSync(token)) process.stderr.write(`${NOT_SHARED}\n`)
  return undefined
}

const NOT_SHARED = `Nx's remote cache holds digests of results and not the results: this workspace's store is new, so all is built here, and what other machines asked is asked and paid for again. To share that, name a folder that all reach, or a bucket, in medmake.yaml: store: { tier: /project/evals }.`
