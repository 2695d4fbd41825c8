import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { EXIT, ProblemError, type ExitCode, type Problem } from '../../../cache/problems/problem.ts'
import type { ItemGrading } from '../../../benchmarks/scenario/benchmark.ts'
import {
  compareProfiles,
  type ProfileComparison,
} from '../../../targets/compare/profiles/compare-profiles.ts'
import {
  readProfileRun,
  scoredBy,
  type ProfileReading,
} from '../../../targets/compare/profiles/read-profile-run.ts'
import { PROFILES, type Profile } from '../../../targets/profile.ts'
import type { OutputFormat } from '../../compare/format.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { formatProfiles } from '../../compare/format-profiles.ts'
import { builtRunUnless, sessionRuns } from '../../session/built-run.ts'
import type { Workspace } from '../../session/workspace/workspace.ts'
import { boolFlag, listFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { FlagValues, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { asHere } from './run-first.ts'
import { targetsOf } from './suites.ts'

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
  const problems: Problem[] = []
  const read = (profile: Profile) => readRuns(invocation, profile, { workspace, problems })
  const [before, after] = [await read(a), await read(b)]
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const runs = names.flatMap((name) => compareSides(before.get(name), after.get(name)) ?? [])
  const missing = names.filter(
    (name) => before.get(name)?.reading === undefined || after.get(name)?.reading === undefined,
  )
  if (problems.length > 0) invocation.warn(formatProblems(problems, process.stderr.isTTY))
  if (runs.length === 0) throw notBuilt([a, b], missing, invocation.flags)
  invocation.print(formatProfiles({ profiles: [a, b], runs }, format))
  if (missing.length > 0)
    invocation.warn(
      `${plural(missing.length, 'run is', 'runs are')} not finished under both profiles, ${missing[0]} for one: run \`medmake run --profile … --output-path …\` under each, a folder for each.`,
    )
  return missing.length > 0 ? EXIT.incomplete : EXIT.done
}

interface Side {
  /** Undefined: not finished under this profile. */
  readonly reading: ProfileReading | undefined
  /** By whose rule graders' verdicts would be scored. */
  readonly style: ItemGrading['style'] | undefined
}

/** Where one side was not run, what its rule makes of the other's verdicts; undefined where there are none. */
const compareSides = (a: Side | undefined, b: Side | undefined): ProfileComparison | undefined => {
  if (a?.reading && b?.reading) return compareProfiles(a.reading, b.reading)
  const rescoredB = a?.reading && b?.style && scoredBy(a.reading, b.style)
  if (a?.reading && rescoredB) return compareProfiles(a.reading, rescoredB, 'b')
  const rescoredA = b?.reading && a?.style && scoredBy(b.reading, a.style)
  return b?.reading && rescoredA ? compareProfiles(rescoredA, b.reading, 'a') : undefined
}

/** Runs by suite and name. */
const readRuns = async (
  invocation: Invocation,
  profile: Profile,
  { workspace, problems }: { readonly workspace: Workspace; readonly problems: Problem[] },
): Promise<ReadonlyMap<string, Side>> => {
  const flags = { ...invocation.flags, profile }
  return withSession({ ...invocation, flags }, { workspace, readOnly: true }, async (session) => {
    const args = listFlag(flags, 'suite') ?? []
    const run = sessionRuns(session)
    const runs = new Map<string, Side>()
    const allowFailures = boolFlag(flags, 'allowFailures')
    for (const each of await targetsOf({ ...invocation, flags, args }, session)) {
      const { name, benchmark } = each.target.spec
      const built = await builtRunUnless(each, session, { allowFailures, problems })
      runs.set(`${each.suite}: ${name}`, {
        reading: built && (await readProfileRun(run(built), benchmark.jury)),
        style: benchmark.jury?.grading?.style,
      })
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

const notBuilt = (
  [a, b]: readonly [Profile, Profile],
  missing: readonly string[],
  flags: FlagValues,
): ProblemError => {
  const run = ['medmake run', ...(listFlag(flags, 'suite') ?? [])].join(' ')
  return new ProblemError(
    {
      code: 'compare/not-built',
      message: `nothing was run to its end under both ${a} and ${b}, not ${missing.slice(0, 3).join(', ')}`,
      remedy: `Run \`${run} --profile ${a}\` and \`${run} --profile ${b} --output-path other\`${asHere(flags)}: replies that are the same are asked for once.`,
    },
    { exitCode: EXIT.incomplete },
  )
}
