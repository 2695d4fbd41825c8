import { isAbsolute, join, relative, resolve } from 'node:path'
import { defined } from '../../../cache/values/defined.ts'
import { readBytes } from '../../../benchmarks/sources/read-text.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { EXIT, ProblemError, type ExitCode, type Problem } from '../../../cache/problems/problem.ts'
import { askReleased } from '../../release/replay/ask-released.ts'
import { createRelease } from '../../release/create.ts'
import { findRelease, type ReleasePlace } from '../../release/bundle/find-release.ts'
import { withBundle } from '../../release/bundle/open-bundle.ts'
import { reproduceRelease } from '../../release/replay/reproduce.ts'
import { readRelease } from '../../release/release-file.ts'
import { verifyRelease } from '../../release/verify.ts'
import { listSuites } from '../../session/suites.ts'
import { findWorkspace, type Workspace } from '../../session/workspace/workspace.ts'
import {
  boolFlag,
  listFlag,
  nameFlag,
  namesFlag,
  pathFlag,
  requireBeside,
  textFlag,
  missingArgument,
} from '../flags.ts'
import { readSchema } from '../../helm/summary-schema.ts'
import { formatProblems } from '../output/print-problems.ts'
import { createSummary } from '../output/progress.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { importAction } from './import.ts'
import { withCommands } from '../common/command-of.ts'
import { targetsOf } from '../common/suites.ts'
import { outputPathOf } from '../common/session-flags.ts'

/** `medmake release create | verify | reproduce | import`. */
export const releaseAction: Action = async (invocation) =>
  withCommands('release', {
    create: named('create v1', create),
    verify: named('verify v1', (name, workspace, own) => verify(placeOf(name, workspace, own), own)),
    reproduce: named('reproduce v1', reproduce),
    import: named('import v1.tar.gz', importAction),
  })(invocation)

const named =
  (
    example: string,
    command: (name: string, workspace: Workspace, invocation: Invocation) => Promise<ExitCode>,
  ): Action =>
  async (invocation) => {
    const [name, ...others] = invocation.args
    if (name !== undefined && others.length === 0)
      return command(name, await findWorkspace(invocation.cwd), invocation)
    throw missingArgument(
      `medmake release ${example.replace(/ .*/, '')} wants one name or place, ${invocation.args.length} given`,
      `Write \`medmake release ${example}\`, for instance.`,
    )
  }

const placeOf = (name: string, workspace: Workspace, { flags, cwd }: Invocation): ReleasePlace =>
  findRelease(name, outputPathOf(flags, cwd, workspace), cwd)

const create = async (name: string, workspace: Workspace, invocation: Invocation): Promise<ExitCode> => {
  const { flags, cwd, print, warn } = invocation
  if (!/^[\w.-]+$/.test(name) || /^\.+$/.test(name))
    throw new ProblemError({
      code: 'release/bad-name',
      message: `${name} is no name for a release`,
      remedy: 'Use letters, digits, dots, dashes and underscores, e.g. v1.0.',
    })
  const suites = [...new Set(namesFlag(flags, 'suites') ?? (await listSuites(workspace.root)).keys())]
  const folder = join(outputPathOf(flags, cwd, workspace), 'releases', name)
  const schemaPath = pathFlag(invocation, 'schemaPath')
  if (schemaPath !== undefined) await readSchema(schemaPath)
  const signWith = pathFlag(invocation, 'sign')
  return withSession(invocation, { workspace, suites }, async (session) => {
    const targets = await targetsOf({ ...invocation, args: suites }, session)
    const { release, digest, problems } = await createRelease(
      targets,
      session,
      defined({
        release: name,
        folder,
        suites,
        includeText: listFlag(flags, 'includeText') ?? [],
        ratings: boolFlag(flags, 'ratings'),
        warn,
        replace: boolFlag(flags, 'replace'),
        signWith,
        schemaPath,
      }),
    )
    if (problems.length > 0) warn(formatProblems(problems, process.stderr.isTTY))
    const bundle = relative(cwd, join(folder, 'bundle'))
    if (boolFlag(flags, 'json'))
      print(
        JSON.stringify({
          release: name,
          digest,
          bundle,
          files: release.files.length + 1,
          withheld: release.withheld,
        }),
      )
    else {
      for (const { run, reason, suppressedStats } of release.withheld)
        print(
          `aggregates only: ${run} (${reason})${suppressedStats === 0 ? '' : `, ${suppressedStats} stats of few instances suppressed`}`,
        )
      print(
        `wrote ${bundle} and ${relative(cwd, join(folder, `${name}.tar.gz`))}: ${release.runs.length} runs, ${release.files.length + 1} files`,
      )
      print(`digest ${digest}`)
    }
    return EXIT.done
  })
}

const verify = async (
  { bundle: given, archive }: ReleasePlace,
  { flags, cwd, print, warn }: Invocation,
): Promise<ExitCode> => {
  const signers = pathFlag({ flags, cwd }, 'signers')
  if (signers !== undefined) await readBytes(signers, 'file of allowed signers')
  const found = await withBundle(given, (bundle) => verifyRelease(bundle, defined({ archive, signers })))
  const { digest, files, recomputed, skipped, signedBy, untold, problems } = found
  if (boolFlag(flags, 'json')) print(JSON.stringify(found))
  else if (problems.length === 0)
    print(
      [
        `${files} files are as released, ${recomputed} computed anew from the runs are equal${skipped === undefined ? '' : ` (${skipped})`}`,
        ...untold.map((what) => `taken as released: ${what}`),
        ...(signedBy === undefined ? [] : [`signed by ${signedBy}`]),
        `digest ${digest}`,
      ].join('\n'),
    )
  return outcome(problems, { flags, warn })
}

const outcome = (
  problems: readonly Problem[],
  { flags, warn }: Pick<Invocation, 'flags' | 'warn'>,
): ExitCode => {
  if (problems.length === 0) return EXIT.done
  if (!boolFlag(flags, 'json')) warn(formatProblems(problems, process.stderr.isTTY))
  return EXIT.incomplete
}

const reproduce = async (name: string, workspace: Workspace, invocation: Invocation): Promise<ExitCode> => {
  const { flags, print } = invocation
  const { bundle: given } = placeOf(name, workspace, invocation)
  requireBeside(flags, 'model', ['suite'])
  const model = textFlag(flags, 'model')
  if (model !== undefined) {
    refuseWithin(given, workspace)
    return withBundle(given, (bundle) => askAgain(bundle, model, workspace, invocation))
  }
  const use = { workspace, readOnly: true }
  return withBundle(given, (bundle) =>
    withSession(invocation, use, async ({ env, benchmarks }) => {
      const databases = databasesOf(invocation)
      const found = await reproduceRelease(bundle, { env, benchmarks, databases })
      if (boolFlag(flags, 'json'))
        print(JSON.stringify({ ...found, copied: found.copied.map((run) => run.name), providerCalls: 0 }))
      else if (found.problems.length === 0)
        print(
          [
            `${found.runs} runs scored anew, ${found.files} files equal byte for byte, 0 provider calls`,
            ...found.copied.map(({ name: run, reason }) => `not scored anew: ${run}: ${reason}`),
          ].join('\n'),
        )
      if (found.runs > 0) return outcome(found.problems, invocation)
      invocation.warn(
        'Nothing was scored anew. Where code of a workspace scored it: do it in a workspace that has the very same code.',
      )
      return EXIT.incomplete
    }),
  )
}

const databasesOf = ({ flags, cwd }: Invocation): readonly string[] =>
  (listFlag(flags, 'database') ?? []).map((path) => resolve(cwd, path))

/** What is asked for and written would lie in the release, which would be no release any more. */
const refuseWithin = (bundle: string, { root }: Workspace): void => {
  const place = relative(bundle, root)
  if (place.startsWith('..') || isAbsolute(place)) return
  throw new ProblemError({
    code: 'release/within',
    message: 'the new runs would lie in the release, which they would change',
    where: { file: bundle },
    remedy: 'Run it in the folder above, or in a workspace, and name this one or its tar.gz.',
  })
}

const askAgain = async (
  bundle: string,
  model: string,
  workspace: Workspace,
  invocation: Invocation,
): Promise<ExitCode> => {
  const { flags, cwd, print, warn } = invocation
  const summary = createSummary()
  const suite = nameFlag(flags, 'suite') ?? `${(await readRelease(bundle)).release}-again`
  const output = join(outputPathOf(flags, cwd, workspace), 'runs', suite)
  return withSession(
    invocation,
    { workspace, listener: summary.on, stopsItself: true },
    async ({ env, registry, benchmarks }, stopper) => {
      const databases = databasesOf(invocation)
      const { runs, left, isStopped } = await askReleased(bundle, model, {
        output,
        registry,
        env,
        benchmarks,
        databases,
      })
      const incomplete = runs.filter(({ record }) => !record.complete)
      if (boolFlag(flags, 'json'))
        print(
          JSON.stringify({
            ...summary.json({ total: runs.length, incomplete: incomplete.length }),
            suite,
            runs: runs.map((run) => run.name),
            left: left.map((run) => run.name),
          }),
        )
      else {
        for (const { name: run, reason } of left) warn(`left out: ${run}: ${reason}`)
        for (const run of incomplete) {
          const [first] = run.record.failures
          warn(
            `incomplete: ${run.name}: ${run.record.failures.length} failed, first: ${first?.code} ${first?.detail}`,
          )
        }
        print(
          `${plural(runs.length, 'run')} in ${relative(cwd, output)}, ${plural(summary.providerCalls(), 'provider call')}`,
        )
      }
      if (stopper.interrupted()) return EXIT.interrupted
      return incomplete.length > 0 || left.length > 0 || isStopped ? EXIT.incomplete : EXIT.done
    },
  )
}
