import { existsSync } from 'node:fs'
import { defined } from '../../../cache/values/defined.ts'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { HelmRunSpec } from '../../helm/forms/run-spec.ts'
import { listBenchmarks } from '../../../benchmarks/lookup/list.ts'
import type { Access, Judge } from '../../../benchmarks/scenario/benchmark.ts'
import type { BenchmarkContext } from '../../../benchmarks/context/context.ts'
import { readJudges } from '../../../benchmarks/judges/judges.ts'
import { EXIT, ProblemError, type ExitCode, type Problem } from '../../../cache/problems/problem.ts'
import { readRunSpec } from '../../helm/read-run.ts'
import { parseBucket, type Bucket } from '../../release/import/bucket.ts'
import { fetchRuns } from '../../release/import/fetch-runs.ts'
import { findRuns } from '../../release/import/find-runs.ts'
import { withUnpacked } from '../../release/bundle/open-bundle.ts'
import { RELEASE_FILE } from '../../release/release-file.ts'
import { findRelease } from '../../release/bundle/find-release.ts'
import { unchangedRelease } from '../../release/verify.ts'
import { importReplies } from '../../release/replies.ts'
import { repliesPath } from '../../release/run-card.ts'
import { importRun, judgesIn, sameJudges, type Imported } from '../../release/import/import-run.ts'
import { benchmarkHere } from '../../release/replay/benchmark-here.ts'
import { noteImports } from '../../session/stores/noted-imports.ts'
import { storeOver, type Store } from '../../../cache/store.ts'
import { keepingFor } from '../../../targets/env/env.ts'
import { storedCompletion } from '../../../targets/record/completion.ts'
import type { Session } from '../../session/session.ts'
import type { Workspace } from '../../session/workspace/workspace.ts'
import { boolFlag, countFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { formatProblems } from '../output/print-problems.ts'
import { withSession } from '../with-session.ts'
import { runFilter } from '../common/built-runs.ts'
import { outputPathOf } from '../common/session-flags.ts'

/** Downloads at once unless --num-threads says otherwise. */
const PARALLEL = 8

/** `medmake release import`: HELM's published output, from a folder or a bucket, or a release of ours, by its name, too. */
export const importAction = async (
  source: string,
  workspace: Workspace,
  invocation: Invocation,
): Promise<ExitCode> => {
  const { flags, cwd, print } = invocation
  const matches = runFilter(flags)
  const bucket = parseBucket(source)
  return withSession(invocation, { workspace }, async (session, stopper) => {
    if (bucket === undefined) {
      const take = async (folder: string): Promise<Outcome> => {
        const isRelease = existsSync(join(folder, RELEASE_FILE))
        if (isRelease) await unchangedRelease(folder)
        return importAll(await findRuns(folder, matches), session, isRelease ? folder : undefined)
      }
      const { bundle } = findRelease(source, outputPathOf(flags, cwd, workspace), cwd)
      return tell(await withUnpacked(existsSync(bundle) ? bundle : resolve(cwd, source), take), invocation)
    }
    const folder = join(outputPathOf(flags, cwd, workspace), 'imported')
    const directories = await fetchRuns(bucket, join(folder, placeIn(bucket)), {
      signal: stopper.stop,
      matches,
      parallel: countFlag(flags, 'numThreads') ?? PARALLEL,
    })
    const code = tell(await importAll(directories, session), invocation)
    if (!boolFlag(flags, 'json')) print(`files in ${relative(cwd, folder)}`)
    return code
  })
}

/** A run, and how many replies came from its release's own file of them. */
interface Taken extends Imported {
  readonly released?: number
  /** Benchmark that nothing here declares. */
  readonly undeclared?: string
  /** The run entry that asks for the same. */
  readonly entry: string
  /** Its judges, where that entry would ask others. */
  readonly judges?: string
  /** Evaluated instances that it was asked for at most. */
  readonly atMost?: number
}

/** What came in, and what is wrong with the runs that could not be read to their end. */
interface Outcome {
  readonly runs: readonly Taken[]
  readonly problems: readonly Problem[]
}

const tell = ({ runs, problems }: Outcome, { flags, print, warn }: Invocation): ExitCode => {
  if (boolFlag(flags, 'json')) print(JSON.stringify({ runs: runs.map(jsonOf), problems }))
  else {
    for (const run of runs) print(lineOf(run))
    const usable = runs.find(({ undeclared }) => undeclared === undefined)
    if (usable !== undefined) print(nextStep(usable))
    const judged = runs.find(({ judges }) => judges !== undefined)
    if (judged !== undefined) print(judgesStep(judged))
  }
  if (problems.length === 0) return EXIT.done
  if (!boolFlag(flags, 'json')) warn(formatProblems(problems, process.stderr.isTTY))
  return EXIT.incomplete
}

/** How one of them comes to results here. */
const nextStep = ({ entry, atMost }: Taken): string =>
  `Runs that ask the same take these at no call: medmake run --run-entries "${entry}"${atMost === undefined ? '' : ` -m ${atMost}`}, or in a suite of targets/*.conf; --json lists the entry of each.`

const judgesStep = ({ entry, judges }: Taken): string =>
  `As it stands ${entry} asks other judges than were asked, ${judges}: name those in a file as benchmarks/judges.yaml is one, and that file in the entry, by jury_config_path=FILE.`

/** Undefined where the workspace's own benchmark asks the same ones, or there is none. */
const otherJudges = async (spec: HelmRunSpec, context: BenchmarkContext): Promise<string | undefined> => {
  try {
    const { jury } = await benchmarkHere(spec.name, context)
    const asked = judgesIn(spec)
    if (jury === undefined || asked.length === 0 || sameJudges(asked, jury.judges)) return undefined
    return asked.map(({ name, deployment }) => `${name} (${deployment})`).join(', ')
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

/** A run's name holds its model and deployment with the slash of each as an underscore. */
const entryOf = ({ name, adapterSpec }: HelmRunSpec): string =>
  [adapterSpec.model, adapterSpec.modelDeployment].reduce(
    (entry, model) => entry.replace(`=${model.replaceAll('/', '_')}`, () => `=${model}`),
    name,
  )

/** Buckets of two hosts may share a name. */
const placeIn = ({ origin, name }: Bucket): string => join(new URL(origin).host.replaceAll(':', '_'), name)

/**
 * One run after another: a damaged one, as a helm-run that was ended leaves it, keeps no other out.
 * @throws ProblemError what is wrong with the runs, where none could be read
 */
const importAll = async (
  directories: readonly string[],
  session: Session,
  release?: string,
): Promise<Outcome> => {
  const { judges } = await readJudges(undefined, session.benchmarks)
  const known = new Map((await listBenchmarks(session.benchmarks)).map(({ name, access }) => [name, access]))
  const runs: Taken[] = []
  const problems: Problem[] = []
  for (const directory of directories)
    try {
      runs.push(await importOne(directory, session, { judges, known, release }))
    } catch (error) {
      if (!isDamaged(error, directory)) throw error
      problems.push(...error.problems)
    }
  if (runs.length === 0) throw new ProblemError(problems)
  return { runs, problems }
}

/** Faults of the run's own files; what the store or the vault says would be said of the next one, too. */
const isDamaged = (error: unknown, directory: string): error is ProblemError =>
  error instanceof ProblemError &&
  error.problems.every(({ where }) => where?.file !== undefined && dirname(where.file) === directory)

interface Sources {
  readonly judges: readonly Judge[]
  readonly known: ReadonlyMap<string, Access>
  readonly release: string | undefined
}

const importOne = async (
  directory: string,
  { registry, env, benchmarks }: Session,
  { judges, known, release }: Sources,
): Promise<Taken> => {
  // What nothing here declares may be anybody's: its texts go to the vault.
  const spec = await readRunSpec(directory)
  const benchmark = benchmarkOf(spec)
  const declared = known.get(benchmark)
  const { store: kept } = await keepingFor({ access: declared ?? 'private' }, env)
  const taken = new Set<string>()
  const store = noting(kept, taken)
  const replies = join(release ?? '', repliesPath(basename(dirname(directory)), basename(directory)))
  try {
    // Before what HELM's files tell of the same replies.
    const released = release === undefined ? undefined : await importReplies(replies, store)
    const imported = await importRun(directory, { registry, store, judges })
    return {
      ...imported,
      // What HELM's files lack a release's own replies hold.
      ...(release !== undefined && existsSync(replies) && { skipped: new Map() }),
      entry: entryOf(spec),
      ...defined({
        released,
        judges: declared && (await otherJudges(spec, benchmarks)),
        atMost: spec.adapterSpec.maxEvalInstances,
        undeclared: declared === undefined ? benchmark : undefined,
      }),
    }
  } finally {
    if (taken.size > 0) await noteImports(benchmark, taken, kept, declared === 'public')
  }
}

/** The store, noting which completions come into it, or came by an import that was stopped before it noted them. */
const noting = (kept: Store, taken: Set<string>): Store =>
  storeOver(kept, {
    has: (table, id) => {
      const stored = table === 'completions' ? kept.get(table, id) : undefined
      if (stored !== undefined && storedCompletion(stored)?.imported === true) taken.add(id)
      return kept.has(table, id)
    },
    put: async (table, id, value) => {
      if (table === 'completions') taken.add(id)
      await kept.put(table, id, value)
    },
  })

/** By what the run says of itself (`pubmed_qa:model=a` → `pubmed_qa`): its folder may have any name. */
const benchmarkOf = ({ name }: HelmRunSpec): string => name.split(/[:,]/)[0] ?? ''

const jsonOf = ({
  name,
  entry,
  judges,
  completions,
  judgements,
  known,
  skipped,
  released,
  undeclared,
}: Taken) =>
  defined({
    name,
    entry,
    judges,
    undeclared,
    released,
    completions,
    judgements,
    known,
    skipped: Object.fromEntries(skipped),
  })

const lineOf = (run: Taken): string =>
  [
    `${run.name}: ${importedText(run)}`,
    ...(run.undeclared === undefined
      ? []
      : [
          `  nothing here declares ${run.undeclared}: its replies lie in the vault, as private ones; its runs take them from there once it is declared`,
        ]),
    ...[...run.skipped].map(([reason, count]) => `  left out ${count}: ${reason}`),
  ].join('\n')

const importedText = ({ completions, judgements, known, released }: Taken): string => {
  const found = `${completions} answers and ${judgements} judge replies`
  if (released === undefined) return `${found} imported, ${known} known before`
  const more = completions + judgements === 0 ? '' : `; ${found} under what is declared here, too`
  return `${released} replies of the release imported${more}`
}
