import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { compareProfiles } from '../../../targets/compare/compare-profiles.ts'
import { readProfileRun, type ProfileReading } from '../../../targets/compare/profile-run.ts'
import { PROFILES, type Profile } from '../../../targets/profile.ts'
import type { OutputFormat } from '../../compare/format.ts'
import { formatProfiles } from '../../compare/format-profiles.ts'
import { builtRun } from '../../session/built-run.ts'
import { resolveTargets } from '../../session/resolve-targets.ts'
import { sessionRuns } from '../../session/session-runs.ts'
import type { Workspace } from '../../session/workspace/workspace.ts'
import { boolFlag, listFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { suitesOf } from './suites.ts'

/**
 * `medmake compare --profiles A,B`: where the same replies score otherwise, and why. Reads what the store holds of both.
 * @throws ProblemError `compare/profiles`, `compare/not-built`
 */
export const compareTwoProfiles = async (
  invocation: Invocation,
  text: string,
  { workspace, format }: { readonly workspace: Workspace; readonly format: OutputFormat },
): Promise<ExitCode> => {
  const [a, b] = profilesOf(text)
  const [before, after] = [await readRuns(invocation, a, workspace), await readRuns(invocation, b, workspace)]
  const runs = [...before].flatMap(([name, run]) => {
    const other = after.get(name)
    return run === undefined || other === undefined ? [] : [compareProfiles(run, other)]
  })
  const missing = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) === undefined || after.get(name) === undefined,
  )
  if (runs.length === 0) throw notBuilt(a, b, missing)
  invocation.print(formatProfiles({ profiles: [a, b], runs }, format))
  if (missing.length > 0)
    invocation.warn(
      `${missing.length} runs are not finished under both profiles, ${missing[0]} for one: run \`medmake run --profile …\` under each.`,
    )
  return missing.length > 0 ? EXIT.incomplete : EXIT.done
}

/** Runs by suite and name; undefined: not finished under this profile. */
const readRuns = async (
  invocation: Invocation,
  profile: Profile,
  workspace: Workspace,
): Promise<ReadonlyMap<string, ProfileReading | undefined>> => {
  const flags = { ...invocation.flags, profile }
  return withSession({ ...invocation, flags }, { workspace, readOnly: true }, async (session) => {
    const args = listFlag(flags, 'suite') ?? []
    const suites = await suitesOf({ ...invocation, flags, args }, workspace, session.entries)
    const run = sessionRuns(session)
    const runs = new Map<string, ProfileReading | undefined>()
    for (const each of await resolveTargets(suites, session)) {
      const built = await builtRun(each, session, boolFlag(flags, 'allowFailures'))
      runs.set(`${each.suite}: ${each.target.spec.name}`, built && (await readProfileRun(run(built))))
    }
    return runs
  })
}

const profilesOf = (text: string): readonly [Profile, Profile] => {
  const names = text.split(',').map((name) => name.trim())
  const known = names.filter((name): name is Profile => PROFILES.some((profile) => profile === name))
  const [a, b] = known
  if (a !== undefined && b !== undefined && a !== b && names.length === 2) return [a, b]
  const unknown = names.find((name) => !PROFILES.some((profile) => profile === name))
  throw new ProblemError({
    code: 'compare/profiles',
    message: `--profiles ${text} names no two profiles`,
    where: { field: '--profiles' },
    remedy: `${unknown === undefined ? '' : suggestion(unknown, PROFILES)}Write two of ${PROFILES.join(', ')}, with a comma between.`,
  })
}

const notBuilt = (a: Profile, b: Profile, missing: readonly string[]): ProblemError =>
  new ProblemError({
    code: 'compare/not-built',
    message: `nothing was run to its end under both ${a} and ${b}, not ${missing.slice(0, 3).join(', ')}`,
    remedy: `Run \`medmake run --profile ${a}\` and \`medmake run --profile ${b}\`: replies that are the same are asked for once.`,
  })
