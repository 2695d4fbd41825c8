import { suitesOf } from '../../cli/common/suites.ts'
import { resolveTargets } from '../../session/resolve-targets.ts'
import type { Profile } from '../../../targets/profile.ts'
import type { Session } from '../../session/session.ts'
import { profileOfSuites } from '../../session/suites.ts'
import type { Workspace } from '../../session/workspace/workspace.ts'
import { pairsOf, type Pair } from './pair.ts'
import type { Invocation } from '../../cli/verb.ts'

/**
 * Every pair of these suites, else of all of a workspace, by its project's name, as `medmake run` would build them.
 * @throws ProblemError
 */
export const workspacePairs = async (
  workspace: Workspace,
  session: Pick<Session, 'registry' | 'benchmarks'>,
  suites: readonly string[],
): Promise<ReadonlyMap<string, Pair>> => {
  const asked = nxInvocation(workspace.root, suites, {
    warn: (text) => void process.stderr.write(`${text}\n`),
  })
  const targets = await resolveTargets(await suitesOf(asked, { workspace }), session)
  return pairsOf(targets, await pairsProfile(workspace, suites))
}

/** What these suites score in: a built-in one names its profile, as for the CLI. @throws ProblemError `targets/two-profiles` */
export const pairsProfile = async (
  { root, config }: Workspace,
  suites: readonly string[],
): Promise<Profile> => (await profileOfSuites(suites, root)) ?? config.profile

/** A call of the CLI's own parts for a workspace's folder, as Nx makes it: without flags, whose place medmake.yaml takes. */
export const nxInvocation = (
  root: string,
  args: readonly string[],
  told: Partial<Pick<Invocation, 'print' | 'warn'>> = {},
): Invocation => ({
  args,
  flags: {},
  cwd: root,
  env: process.env,
  print: () => undefined,
  warn: () => undefined,
  leftOut: [],
  strictHelm: false,
  ...told,
})
