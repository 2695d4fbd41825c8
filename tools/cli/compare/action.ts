import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import { readComparedRun, type ComparedRun, type Wanted } from '../../../targets/compare/compared-run.ts'
import { compareRuns, type RunPair } from '../../../targets/compare/compare-runs.ts'
import { concerns, failuresOf, metricsNamed, parseFailIf } from '../../../targets/compare/fail-if.ts'
import { matchSides } from '../../../targets/compare/match-sides.ts'
import { rankColumns } from '../../../targets/compare/ranks/rank-columns.ts'
import { rankModels } from '../../../targets/compare/ranks/rank-models.ts'
import { winDifference } from '../../../targets/compare/win-difference.ts'
import { formatComparison } from '../../compare/format-comparison.ts'
import { FORMATS, isFormat, type OutputFormat } from '../../compare/format.ts'
import { formatRanking } from '../../compare/format-ranking.ts'
import { builtRun } from '../../session/built-run.ts'
import { resolveTargets, type SuiteTarget } from '../../session/resolve-targets.ts'
import { sessionRuns } from '../../session/session-runs.ts'
import type { Session } from '../../session/session.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { boolFlag, listFlag, textFlag } from '../flags.ts'
import type { Action, FlagValues, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { compareTwoProfiles } from '../common/compare-profiles.ts'
import { suitesOf } from '../common/suites.ts'

/** `medmake compare`: reads what the store holds; runs nothing, calls nobody. */
export const compareAction: Action = async (invocation) => {
  const { args, flags } = invocation
  const format = formatFlag(flags)
  const clauses = parseFailIf(listFlag(flags, 'failIf') ?? [])
  if (args.length !== 0 && args.length !== 2) throw wrongCount(args.length)
  const workspace = await findWorkspace(invocation.cwd)
  const profiles = textFlag(flags, 'profiles')
  if (profiles !== undefined) {
    if (args.length > 0) throw wrongCount(args.length)
    return compareTwoProfiles(invocation, profiles, { workspace, format })
  }
  const wanted = wantedOf(flags, metricsNamed(clauses))
  return withSession(invocation, { workspace, readOnly: true }, async (session) => {
    const suites = await suitesOf(
      { ...invocation, args: listFlag(flags, 'suite') ?? [] },
      workspace,
      session.entries,
    )
    const targets = await resolveTargets(suites, session)
    const [a, b] = args
    if (a === undefined || b === undefined) return rank(targets, { session, invocation, wanted, format })
    const sides = matchSides(targets, a, b)
    const { pairs, missing } = await readPairs(sides, { session, invocation, wanted })
    refuseUnknownSource(pairs, wanted)
    const comparisons = compareRuns(pairs)
    refuseEmpty(comparisons, wanted, pairs)
    for (const clause of clauses)
      if (!comparisons.some((each) => concerns(clause, each))) throw unknownMetric(clause.metric, pairs)
    const judged = comparisons.map((comparison) => ({ comparison, broken: failuresOf(comparison, clauses) }))
    invocation.print(formatComparison({ a, b, judged, wins: winDifference(pairs) }, format))
    if (missing.length > 0) invocation.warn(missingText(missing))
    if (judged.some(({ broken }) => broken.length > 0)) return EXIT.regression
    const isWhole = missing.length === 0 && comparisons.every(({ unranked }) => unranked === null)
    return isWhole ? EXIT.done : EXIT.incomplete
  })
}

/** @throws ProblemError `cli/bad-flag` */
export const formatFlag = (flags: FlagValues, shown: OutputFormat = 'text'): OutputFormat => {
  const format = textFlag(flags, 'format') ?? shown
  if (isFormat(format)) return format
  throw new ProblemError({
    code: 'cli/bad-flag',
    message: `--format ${format} is unknown`,
    where: { field: '--format' },
    remedy: `Use ${FORMATS.join(', ')}.`,
  })
}

export const wantedOf = (flags: FlagValues, besides: readonly string[]): Wanted => {
  const metric = textFlag(flags, 'metric')
  const clusterBy = textFlag(flags, 'clusterBy')
  return {
    besides,
    ...(metric === undefined ? {} : { metric }),
    ...(clusterBy === undefined ? {} : { clusterBy }),
  }
}

interface Reading {
  readonly session: Session
  readonly invocation: Invocation
  readonly wanted: Wanted
}

/** @throws ProblemError `compare/not-built` when nothing of it was built */
const readRuns = async (
  targets: readonly SuiteTarget[],
  { session, invocation, wanted }: Reading,
): Promise<{ readonly runs: ReadonlyMap<SuiteTarget, ComparedRun>; readonly missing: readonly string[] }> => {
  const run = sessionRuns(session)
  const runs = new Map<SuiteTarget, ComparedRun>()
  const missing: string[] = []
  for (const each of targets) {
    const built = await builtRun(each, session, boolFlag(invocation.flags, 'allowFailures'))
    if (built === undefined) missing.push(each.target.spec.name)
    else runs.set(each, await readComparedRun(run(built), wanted))
  }
  return { runs, missing }
}

const readPairs = async (
  sides: readonly { readonly a: SuiteTarget; readonly b: SuiteTarget }[],
  reading: Reading,
): Promise<{ readonly pairs: readonly RunPair[]; readonly missing: readonly string[] }> => {
  const { runs, missing } = await readRuns([...new Set(sides.flatMap(({ a, b }) => [a, b]))], reading)
  const pairs = sides.flatMap(({ a, b }) => {
    const [before, after] = [runs.get(a), runs.get(b)]
    return before === undefined || after === undefined ? [] : [{ a: before, b: after }]
  })
  if (pairs.length === 0) throw notBuilt(missing)
  return { pairs, missing }
}

const rank = async (
  targets: readonly SuiteTarget[],
  reading: Reading & { readonly format: OutputFormat },
): Promise<(typeof EXIT)['done' | 'incomplete']> => {
  const { runs, missing } = await readRuns(targets, reading)
  if (runs.size === 0) throw notBuilt(missing)
  const all = [...runs.values()]
  const rankings = [...new Set(all.map(({ suite }) => suite))].map((suite) => {
    const { models, columns, unranked } = rankColumns(all.filter((run) => run.suite === suite))
    return { suite, ranking: rankModels(models, columns), unranked }
  })
  reading.invocation.print(formatRanking(rankings, reading.format))
  if (missing.length > 0) reading.invocation.warn(missingText(missing))
  return missing.length > 0 ? EXIT.incomplete : EXIT.done
}

const missingText = (missing: readonly string[]): string =>
  `${missing.length} of the runs are not finished, ${missing[0]} for one: run \`medmake run\` first.`

const wrongCount = (count: number): ProblemError =>
  new ProblemError({
    code: 'compare/wrong-count',
    message: `compare takes two models, or none to rank them all; ${count} given`,
    remedy: 'Write `medmake compare A B`. Give suites with --suite.',
  })

const notBuilt = (missing: readonly string[]): ProblemError =>
  new ProblemError({
    code: 'compare/not-built',
    message: `nothing to compare was run to its end, not ${missing.slice(0, 3).join(', ')}`,
    remedy: 'Run `medmake run` first; with --allow-failures runs with failed instances are taken, too.',
  })

const unknownMetric = (metric: string, pairs: readonly RunPair[]): ProblemError =>
  new ProblemError({
    code: 'compare/unknown-metric',
    message: `no compared run has the metric ${metric}`,
    remedy: `The main metrics here: ${[...new Set(pairs.map(({ b }) => b.mainMetric))].join(', ')}. stats.json of a run names all; jury_score_strict is there where a jury is.`,
  })

/**
 * Instances taken for independent that are not make any difference look sure.
 * @throws ProblemError `compare/unknown-source`
 */
export const refuseUnknownSource = (pairs: readonly RunPair[], { clusterBy }: Wanted): void => {
  const isKnown = pairs.some(({ b }) => b.instances.some(({ cluster }) => cluster !== undefined))
  if (clusterBy === undefined || pairs.length === 0 || isKnown) return
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
  wanted: Wanted,
  pairs: readonly RunPair[],
): void => {
  if (comparisons.length === 0) throw unknownMetric(wanted.metric ?? 'asked for', pairs)
  if (comparisons.every(({ result, unranked }) => result === null && unranked === null))
    throw new ProblemError({
      code: 'compare/no-shared-instances',
      message: `${pairs[0]?.a.name} and ${pairs[0]?.b.name} share no instance`,
      remedy: 'Compare runs of one benchmark on the same data.',
    })
}
