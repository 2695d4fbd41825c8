import { openTier, requireUsed } from '../../../cache/tier/open-tier.ts'
import type { Tier } from '../../../cache/tier/tier.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { KeyOrigin } from '../../../cache/vault/vault-key.ts'
import { vaultFolder } from '../../../cache/store-folder.ts'
import { vaultKeyOrigin, findWorkspace, storePathOf } from '../../session/workspace/workspace.ts'
import { pathFlag, missingArgument } from '../flags.ts'
import type { Invocation } from '../verb.ts'

export interface Places {
  readonly store: string
  readonly vault: string
  readonly invocation: Invocation
  readonly origin: KeyOrigin
}

export const placesOf = async (invocation: Invocation): Promise<Places> => {
  const { flags, cwd, env } = invocation
  const workspace = await findWorkspace(cwd)
  const store = pathFlag({ flags, cwd }, 'store') ?? storePathOf(workspace, env)
  const origin = vaultKeyOrigin(env, workspace)
  return { store, vault: vaultFolder(store), invocation, origin }
}

/** Folders after the verb's own word. @throws ProblemError `cli/missing-argument` */
export const dirsOf = ({ args }: Invocation, usage: string): readonly string[] => {
  if (args.length > 0) return args
  throw missingArgument('it needs a folder', `Write \`medmake cache ${usage}\`.`)
}

/** To read from. @throws ProblemError `cache/no-tier` where nobody shared anything */
export const usedTierOf = async (invocation: Invocation): Promise<Tier> => {
  const tier = await tierOf(invocation)
  await requireUsed(tier)
  return tier
}

/** @throws ProblemError `cache/no-tier`, `cache/tier` */
export const tierOf = async (invocation: Invocation): Promise<Tier> => {
  const [tier = '', ...more] = dirsOf(invocation, 'push|pull|seal TIER')
  if (more.length === 0) return openTier(tier, invocation.cwd, invocation.env)
  throw new ProblemError({
    code: 'cache/tier',
    message: 'a tier is one folder that all machines reach',
    remedy: 'Name one folder, such as that of a network file system.',
  })
}
