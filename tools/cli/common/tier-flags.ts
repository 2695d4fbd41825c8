import { resolve } from 'node:path'
import { openTier } from '../../../cache/tier/open-tier.ts'
import type { Tier } from '../../../cache/tier/tier.ts'
import type { Workspace } from '../../session/workspace/workspace.ts'
import { textFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'

/** The tier that a flag or medmake.yaml names, as it was written; a folder as an absolute path. */
export const tierPlace = (
  { flags, cwd }: Pick<Invocation, 'flags' | 'cwd'>,
  { root, config }: Workspace,
): string | undefined => {
  const flag = textFlag(flags, 'tier')
  const place = flag ?? config.store.tier
  if (place === undefined || place.includes('://')) return place
  return resolve(flag === undefined ? root : cwd, place)
}

/** Undefined where none is named. @throws ProblemError `cache/no-tier`, `cache/tier` */
export const tierOf = async (
  invocation: Pick<Invocation, 'flags' | 'cwd' | 'env'>,
  workspace: Workspace,
): Promise<Tier | undefined> => {
  const place = tierPlace(invocation, workspace)
  return place === undefined ? undefined : openTier(place, workspace.root, invocation.env)
}
