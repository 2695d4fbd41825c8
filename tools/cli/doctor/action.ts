import { EXIT } from '../../../cache/problems/problem.ts'
import { textArgument } from '../../../models/clients/chat/server-of.ts'
import { readCredentials } from '../../../models/deployment/credentials.ts'
import type { Target } from '../../../targets/record/target.ts'
import { problemChecks, type DoctorCheck } from '../../doctor/check.ts'
import { examine, type Findings } from '../../doctor/examine.ts'
import type { ContactedHost } from '../../doctor/hosts.ts'
import type { Session } from '../../session/session.ts'
import { keyMark, vaultKeyOrigin, findWorkspace, type Workspace } from '../../session/workspace/workspace.ts'
import { boolFlag, textFlag } from '../flags.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { targetsOf } from '../common/suites.ts'
import { tierChecks } from '../../doctor/tier-checks.ts'
import { localPathOf, outputPathOf, tierOf } from '../common/session-flags.ts'

/** `medmake doctor`: exit code 2 where something will fail, or be seen by whom it should not. */
export const doctorAction: Action = async (invocation) => {
  const { flags, print } = invocation
  const workspace = await findWorkspace(invocation.cwd)
  const found = await lookAt(invocation, workspace)
  const findings = { ...found, checks: [...found.checks, ...(await triedTier(invocation, workspace))] }
  if (boolFlag(flags, 'json')) print(JSON.stringify(findings))
  else for (const line of lines(findings)) print(line)
  return findings.checks.some(({ state }) => state === 'problem') ? EXIT.badInput : EXIT.done
}

/** Only where it is named: it writes there. */
const triedTier = async (invocation: Invocation, workspace: Workspace): Promise<readonly DoctorCheck[]> => {
  if (textFlag(invocation.flags, 'tier') === undefined) return []
  try {
    const tier = await tierOf(invocation, workspace)
    return tier === undefined
      ? []
      : await tierChecks(tier, keyMark(vaultKeyOrigin(invocation.env, workspace)))
  } catch (error) {
    return problemChecks('tier', error)
  }
}

/** What keeps the workspace from being read is the finding then. */
const lookAt = async (invocation: Invocation, workspace: Workspace): Promise<Findings> => {
  const { cwd, env, flags } = invocation
  try {
    return await withSession(invocation, { workspace, readOnly: true }, async (session) => {
      const localPath = localPathOf(flags, cwd, workspace)
      const credentials = await readCredentials(localPath, env)
      const { targets, checks } = await namedTargets(invocation, session)
      const findings = await examine({
        targets,
        session,
        env,
        outputPath: outputPathOf(flags, cwd, workspace),
        localPath,
        hasKey: ({ name, client }) =>
          textArgument(client.args, 'api_key') !== undefined ||
          credentials.lookup(name, 'ApiKey') !== undefined,
      })
      // Of suites that can't be read nothing is known to be well.
      const known = findings.checks.filter(
        ({ name, state }) => checks.length === 0 || state !== 'ok' || !OF_SUITES.has(name),
      )
      return { ...findings, checks: [...known, ...checks] }
    })
  } catch (error) {
    return { hosts: [], checks: problemChecks('workspace', error) }
  }
}

const OF_SUITES: ReadonlySet<string> = new Set(['vault', 'git', 'data agreement'])

const namedTargets = async (
  invocation: Invocation,
  session: Session,
): Promise<{ readonly targets: readonly Target[]; readonly checks: readonly DoctorCheck[] }> => {
  try {
    return { targets: (await targetsOf(invocation, session)).map(({ target }) => target), checks: [] }
  } catch (error) {
    return { targets: [], checks: problemChecks('suites', error) }
  }
}

const SIGNS: Readonly<Record<DoctorCheck['state'], string>> = {
  ok: 'ok     ',
  note: 'note   ',
  problem: 'PROBLEM',
}

const lines = ({ checks, hosts }: Findings): readonly string[] => [
  ...checks.flatMap(({ name, state, message, remedy }) => [
    `${SIGNS[state]} ${name}: ${message}`,
    ...(remedy === undefined ? [] : [`          ${remedy}`]),
  ]),
  hosts.length > 0
    ? 'Hosts that would be contacted, and no other:'
    : checks.some(({ name }) => name === 'suites' || name === 'workspace')
      ? 'Hosts are not known: suites can’t be read.'
      : 'No host would be contacted.',
  ...hosts.flatMap(hostLines),
]

/** Reasons shown of a host; `--json` lists all. */
const SHOWN = 6

const hostLines = ({ host, loopback, why }: ContactedHost): readonly string[] => {
  const more = why.length > SHOWN ? [`and ${why.length - SHOWN} more`] : []
  return [`  ${host}${loopback ? ' (this machine)' : ''}: ${[...why.slice(0, SHOWN), ...more].join(', ')}`]
}
