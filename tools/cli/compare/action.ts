import { runFirst } from '../common/run-first.ts'
import { defined } from '../../../cache/values/defined.ts'
import { groupBy } from '../../../cache/lists.ts'
import { notFinished } from '../../session/built-run.ts'
import { EXIT, ProblemError, type ExitCode, type Problem } from '../../../cache/problems/problem.ts'
import {
  hasSourceKey,
  type ComparedRun,
  type ComparisonOptions,
} from '../../../targets/compare/compared-run.ts'
import { areEqual, compareRuns, type RunPair } from '../../../targets/compare/compare-runs.ts'
import {
  concerns,
  failuresOf,
  metricsNamed,
  parseFailIf,
  type FailIf,
} from '../../../targets/compare/fail-if.ts'
import { isKnownSide, matchRuns, matchSides } from '../../../targets/compare/match-sides.ts'
import { rankColumns } from '../../../targets/compare/ranks/rank-columns.ts'
import { rankModels } from '../../../targets/compare/ranks/rank-models.ts'
import { winDifference } from '../../../targets/compare/win-difference.ts'
import { formatComparison } from '../../compare/format-comparison.ts'
import { FORMATS, type OutputFormat } from '../../compare/format.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { formatRanking } from '../../compare/format-ranking.ts'
import { findWorkspace, type Workspace } from '../../session/workspace/workspace.ts'
import { isSource, withSources, type ResultSource, type SourceOptions } from '../../sources/result-source.ts'
import { compareTwoProfiles } from '../common/compare-profiles.ts'
import { PROFILES } from '../../../targets/profile.ts'
import { badFlag, choiceFlag, flagNamed, listFlag, refuseBeside, textFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { Action, FlagValues, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import {
  candidatesOf,
  storedCandidates,
  type Candidate,
  type Candidates,
  type Unread,
  type WantedComparison,
} from './candidates.ts'
import { outputPathOf } from '../common/session-flags.ts'

/** `medmake compare`: reads what the store, folders of HELM's files and releases hold; runs nothing, calls nobody. */
export const compareAction: Action = async (invocation) => {
  const { args, flags, cwd } = invocation
  const format = formatFlag(flags)
  const clauses = parseFailIf(listFlag(flags, 'failIf') ?? [])
  if (args.length !== 0 && args.length !== 2) throw wrongCount(args.length)
  if (args.length === 0 && clauses.length > 0) throw noSides()
  const workspace = await findWorkspace(cwd)
  const profiles = textFlag(flags, 'profiles')
  if (profiles !== undefined) {
    refuseBeside(flags, 'profiles', ['metric', 'clusterBy', 'from'])
    if (args.length > 0)
      throw badFlag(
        '--profiles',
        `--profiles compares no models, and ${args.join(' and ')} are named`,
        'Leave them out; --models-to-run chooses among models.',
      )
    return compareTwoProfiles(invocation, profiles, { workspace, format })
  }
  const wanted = wantedOf(flags, metricsNamed(clauses))
  const asked: Asked = { invocation, wanted, clauses, format }
  const places = {
    workspace,
    cwd,
    outputPath: outputPathOf(flags, cwd, workspace),
    profile: choiceFlag(flags, 'profile', PROFILES),
  }
  const [a, b] = args
  const from = listFlag(flags, 'from')
  if (a !== undefined && b !== undefined && (from !== undefined || !(await areSources(a, b, places))))
    return withSources(from ?? [], places, (sources) => compareModels([a, b], sources, asked, workspace))
  if (from !== undefined || a !== undefined) refuseOfStore(flags)
  if (from !== undefined)
    return withSources(from, places, (sources) => rank(candidatesOf(sources, asked), asked))
  if (a !== undefined && b !== undefined)
    return withSources([a, b], places, (sources) => compareFolders([a, b], sources, asked))
  return withSession(invocation, { workspace, readOnly: true }, async (session) =>
    rank(await storedCandidates(session, asked), asked),
  )
}

/** Of finished runs in folders all are taken, as they are. */
const refuseOfStore = (flags: FlagValues): void => {
  const name = ['modelsToRun', 'maxEvalInstances', 'numTrainTrials'].find((each) => flags[each] !== undefined)
  if (name !== undefined)
    throw badFlag(
      flagNamed(name),
      `${flagNamed(name)} says nothing of runs that lie in folders or releases`,
      'Leave it out.',
    )
}

interface Asked extends WantedComparison {
  readonly clauses: readonly FailIf[]
  readonly format: OutputFormat
}

/** Two models or runs, looked for in the folders that are named, else in the store. */
const compareModels = async (
  [a, b]: readonly [string, string],
  sources: readonly ResultSource[],
  asked: Asked,
  workspace: Workspace,
): Promise<ExitCode> => {
  const given = candidatesOf(sources, asked)
  if ([a, b].every((side) => isKnownSide(given.runs, side)))
    return comparePairs([a, b], matchSides([given.runs], a, b).pairs, given, asked)
  return withSession(asked.invocation, { workspace, readOnly: true }, async (session) => {
    const stored = await storedCandidates(session, asked, given.problems)
    return comparePairs([a, b], matchSides([given.runs, stored.runs], a, b).pairs, stored, asked)
  })
}

const compareFolders = async (
  names: readonly [string, string],
  sources: readonly ResultSource[],
  asked: Asked,
): Promise<ExitCode> => {
  const all = candidatesOf(sources, asked)
  const ofSource = (at: number): readonly Candidate[] => all.runs.filter(({ source }) => source === at)
  const { pairs, alone } = matchRuns([ofSource(0), ofSource(1)], names)
  const [first] = alone
  if (first !== undefined)
    asked.invocation.warn(
      `${plural(alone.length, 'run is', 'runs are')} in one place alone, ${first.name} of ${names[first.source]} for one.`,
    )
  return comparePairs(names, pairs, all, asked)
}

const comparePairs = async (
  [a, b]: readonly [string, string],
  sides: readonly { readonly a: Candidate; readonly b: Candidate }[],
  { problems, missing }: Unread,
  { invocation, wanted, clauses, format }: Asked,
): Promise<ExitCode> => {
  const runs = await readAll(sides.flatMap((pair) => [pair.a, pair.b]))
  const pairs = sides.flatMap((pair) => {
    const [before, after] = [runs.get(pair.a), runs.get(pair.b)]
    return before === undefined || after === undefined ? [] : [{ a: before, b: after }]
  })
  if (pairs.length === 0) throw nothingRead(problems, missing, invocation.flags)
  const compared = pairs.map(({ b: after }) => after)
  refuseUnknownSource(compared, wanted)
  const comparisons = compareRuns(pairs)
  refuseEmpty(comparisons, wanted, pairs)
  for (const clause of clauses)
    if (!comparisons.some((each) => concerns(clause, each))) throw unknownMetric(clause.metric, compared)
  const judged = comparisons.map((comparison) => ({ comparison, broken: failuresOf(comparison, clauses) }))
  const sameRuns = pairs.filter(areEqual).length
  invocation.print(
    formatComparison({ a, b, judged, wins: winDifference(pairs), runs: pairs.length, sameRuns }, format),
  )
  for (const note of sourceNotes(pairs.map((pair) => [pair.a, pair.b]))) invocation.warn(note)
  warnOfUnread({ problems, missing }, invocation)
  if (judged.some(({ broken }) => broken.length > 0)) return EXIT.regression
  const isWhole =
    missing.length + problems.length === 0 && comparisons.every(({ unranked }) => unranked === null)
  return isWhole ? EXIT.done : EXIT.incomplete
}

const rank = async (
  { runs: all, problems, missing }: Candidates,
  { invocation, wanted, format }: Asked,
): Promise<ExitCode> => {
  const runs = [...(await readAll(all)).values()]
  if (runs.length === 0) throw nothingRead(problems, missing, invocation.flags)
  refuseUnknownSource(runs, wanted)
  if (wanted.metric !== undefined && runs.every(({ metrics }) => metrics.length === 0))
    throw unknownMetric(wanted.metric, runs)
  const rankings = [...new Set(runs.map(({ suite }) => suite))].map((suite) => {
    const { models, columns, unranked, leftOut } = rankColumns(runs.filter((run) => run.suite === suite))
    const ranking = rankModels(models, columns)
    const idle = columns.map(({ benchmark }) => benchmark).filter((name) => !ranking.columns.includes(name))
    return { suite, ranking, unranked, leftOut, idle }
  })
  invocation.print(formatRanking(rankings, format))
  for (const note of sourceNotes([...groupBy(runs, ({ scenario }) => scenario).values()]))
    invocation.warn(note)
  warnOfUnread({ problems, missing }, invocation)
  return missing.length + problems.length > 0 ? EXIT.incomplete : EXIT.done
}

const readAll = async (candidates: readonly Candidate[]): Promise<ReadonlyMap<Candidate, ComparedRun>> => {
  const runs = new Map<Candidate, ComparedRun>()
  for (const each of new Set(candidates)) {
    const run = await each.read()
    if (run !== undefined) runs.set(each, run)
  }
  return runs
}

const areSources = async (a: string, b: string, places: SourceOptions): Promise<boolean> => {
  const [isA, isB] = [await isSource(a, places), await isSource(b, places)]
  // No model is called so: a path that is mistyped is told of as a path.
  if (isA === isB) return isA || [a, b].some((word) => /^\.{0,2}[\\/]/.test(word))
  throw new ProblemError({
    code: 'compare/one-place',
    message: `${isA ? a : b} is a place that holds runs, ${isA ? b : a} is none`,
    remedy: `Name two places, or two models and \`--from ${isA ? a : b}\`.`,
  })
}

/** @throws ProblemError `cli/bad-flag` */
export const formatFlag = (flags: FlagValues, shown: OutputFormat = 'text'): OutputFormat =>
  choiceFlag(flags, 'format', FORMATS) ?? shown

export const wantedOf = (flags: FlagValues, besides: readonly string[]): ComparisonOptions => {
  const metric = textFlag(flags, 'metric')
  const clusterBy = textFlag(flags, 'clusterBy')
  return defined({ besides, metric, clusterBy })
}

const warnOfUnread = ({ problems, missing }: Unread, { warn, flags }: Invocation): void => {
  if (problems.length > 0) warn(formatProblems(problems, process.stderr.isTTY))
  if (missing.length > 0)
    warn(
      `${plural(missing.length, 'run is', 'runs are')} not finished, ${missing[0]} for one. ${runFirst({ flags }, listFlag(flags, 'suite') ?? [])}.`,
    )
}

const nothingRead = (
  problems: readonly Problem[],
  missing: readonly string[],
  flags: FlagValues,
): ProblemError =>
  problems.length > 0 ? new ProblemError(problems, { exitCode: EXIT.incomplete }) : notBuilt(missing, flags)

/** Where nothing tells which instances share a source, intervals are narrower than they should be. */
const sourceNotes = (together: readonly (readonly ComparedRun[])[]): readonly string[] => {
  const kinds = new Map(
    together.flatMap((runs) => {
      const isNamed = runs.some(({ clusters }) => clusters !== undefined)
      return isNamed
        ? []
        : runs.flatMap(({ scenario, unnamedSources: kind }) =>
            kind === undefined ? [] : [[scenario, kind] as const],
          )
    }),
  )
  return [...kinds].map(
    ([scenario, kind]) =>
      `${scenario}: instances share a ${kind}, and HELM's files do not tell which: each counts as evidence of its own, so interval and p say too much. \`--cluster-by\` names a key of their extra data.`,
  )
}

const wrongCount = (count: number): ProblemError =>
  new ProblemError({
    code: 'compare/wrong-count',
    message: `compare takes two models or two folders, or none to rank all models; ${count} given`,
    remedy: 'Write `medmake compare A B`. Give suites with --suite.',
  })

const notBuilt = (missing: readonly string[], flags: FlagValues): ProblemError =>
  notFinished(
    'compare/not-built',
    `nothing to compare was run to its end, not ${missing.slice(0, 3).join(', ')}`,
    runFirst({ flags }, listFlag(flags, 'suite') ?? []),
  )

const unknownMetric = (metric: string, runs: readonly ComparedRun[]): ProblemError =>
  noSuchMetric(
    metric,
    runs.flatMap(({ main }) => main?.name ?? []),
  )

export const noSuchMetric = (metric: string, mains: readonly string[]): ProblemError => {
  const shown = mains.length === 0 ? '' : `The main metrics here: ${[...new Set(mains)].join(', ')}. `
  return new ProblemError({
    code: 'compare/unknown-metric',
    message: `no compared run has the metric ${metric}`,
    remedy: `${shown}stats.json of a run names all; jury_score_strict is there where a jury is.`,
  })
}

const noSides = (): ProblemError =>
  badFlag(
    '--fail-if',
    '--fail-if holds one side against another, and none are named',
    'Name two models or two folders.',
  )

/**
 * Instances taken for independent that are not make any difference look sure.
 * @throws ProblemError `compare/unknown-source`
 */
export const refuseUnknownSource = (runs: readonly ComparedRun[], { clusterBy }: ComparisonOptions): void => {
  if (clusterBy === undefined || runs.length === 0 || runs.some((run) => hasSourceKey(run, clusterBy))) return
  throw new ProblemError({
    code: 'compare/unknown-source',
    message: `no compared instance has ${clusterBy} in its extra data`,
    where: { field: '--cluster-by' },
    remedy: "Name a key of extra_data in the runs' scenario_state.json.",
  })
}

/** A comparison of nothing must not pass for one that found nothing. */
const refuseEmpty = (
  comparisons: ReturnType<typeof compareRuns>,
  wanted: ComparisonOptions,
  pairs: readonly RunPair[],
): void => {
  if (comparisons.length === 0)
    throw unknownMetric(
      wanted.metric ?? 'asked for',
      pairs.map(({ b }) => b),
    )
  if (comparisons.every(({ result, unranked }) => result === null && unranked === null))
    throw new ProblemError({
      code: 'compare/no-shared-instances',
      message: `${pairs[0]?.a.name} and ${pairs[0]?.b.name} share no instance`,
      remedy: 'Compare runs of one benchmark on the same data.',
    })
}
