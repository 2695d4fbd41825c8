import { resolve } from 'node:path'
import { ProblemError } from '../problems/problem.ts'
import { folderTier } from './folder-tier.ts'
import { neverUsed, notExclusive, USED_FOLDERS, type Tier } from './tier.ts'

/**
 * The tier that a user names.
 * @param cwd what a folder's path is relative to
 * @param env keys of a bucket, `AWS_…`
 * @throws ProblemError `cache/no-tier`, `cache/tier`
 */
export const openTier = async (place: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Tier> => {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(place) ?? []
  if (scheme === undefined) return folderTier(resolve(cwd, place))
  // Loaded late: most tiers are folders.
  if (scheme === 's3') return (await import('./s3-tier.ts')).s3Tier(place, env)
  throw new ProblemError({
    code: 'cache/tier',
    message: `${scheme}:// is no tier that is known`,
    where: { field: '--tier' },
    remedy:
      'Name a folder that all machines reach, such as one of a network file system, or s3://bucket/prefix.',
  })
}

/** All try to make it: whoever finds it made knows that a name is made once here. */
const PROBE = 'probe/exclusive.json'

/**
 * Tries whether a name can be made once only, which not every server of buckets heeds.
 * @throws ProblemError `cache/tier-reply`; where nothing can be written that problem
 */
export const requireExclusive = async (tier: Tier): Promise<void> => {
  const make = (): Promise<boolean> => tier.create(PROBE, '{}\n')
  if ((await make()) && (await make())) throw notExclusive(tier.place)
}

/** For readers: a folder or prefix in which nobody shared anything was named by mistake. @throws ProblemError `cache/no-tier` */
export const requireUsed = async (tier: Tier): Promise<void> => {
  for (const folder of USED_FOLDERS) if ((await tier.list(folder)).length > 0) return
  throw neverUsed(tier.place)
}
