import { resolve } from 'node:path'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { analyze, type Analysis } from '../../../targets/analysis/analysis.ts'
import { analysisNotes, csvAnalysis, formatAnalysis, latexAnalysis } from '../../analysis/format-analysis.ts'
import { chooseScores } from '../../analysis/choose-scores.ts'
import { readGivenFile, TABLE_FILE } from '../../analysis/given-file.ts'
import { leaderboardOf } from '../../analysis/leaderboard-file.ts'
import { suiteAnalysis } from '../../analysis/suite-analysis.ts'
import { TABLES, type TableName } from '../../analysis/tables.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { badFlag, boolFlag, choiceFlag, flagNamed, listFlag, refuseBeside, badArgument } from '../flags.ts'
import { readableBenchmarks } from '../common/readable-benchmarks.ts'
import type { Action, FlagValues, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { builtRuns, missingLines } from '../common/built-runs.ts'

/** `medmake analyze`: reads a leaderboard file, or what the store holds of suites; runs nothing, calls nobody. */
export const analyzeAction: Action = async (invocation) => {
  if (boolFlag(invocation.flags, 'paper')) return (await import('./paper.ts')).analyzePaper(invocation)
  const [file, ...others] = invocation.args.filter((name) => TABLE_FILE.test(name))
  const form = formOf(invocation.flags)
  if (file === undefined) return analyzeSuites(invocation, form)
  if (others.length > 0 || invocation.args.length > 1)
    throw badArgument(
      'suites-or-file',
      `${file} can't be analyzed together with something else`,
      'Name one file, or suites only.',
    )
  if (OF_INSTANCES.has(form.table)) throw noInstances(file)
  tell([await analyzeFile(invocation, file)], form, invocation)
  return EXIT.done
}

interface Form {
  readonly kind: 'text' | 'json' | 'csv' | 'latex'
  readonly table: TableName | undefined
}

const formOf = (flags: FlagValues): Form => {
  const kinds = (['json', 'csv', 'latex'] as const).filter((kind) => boolFlag(flags, kind))
  if (kinds.length > 1)
    throw badFlag(`--${kinds[1] ?? ''}`, `--${kinds.join(' and --')} exclude each other`, 'Give one of them.')
  // It holds all of them.
  if (kinds[0] === 'json') refuseBeside(flags, 'json', ['table'])
  return { kind: kinds[0] ?? 'text', table: choiceFlag(flags, 'table', TABLES) }
}

const OF_INSTANCES: ReadonlySet<TableName | undefined> = new Set(['mde', 'subgroups', 'gaps'])

/** Flags that say something of suites alone. */
const OF_SUITES = [
  'confPaths',
  'runEntries',
  'priority',
  'maxEvalInstances',
  'numTrainTrials',
  'suite',
  'allowFailures',
]

/** @throws ProblemError `cli/unsupported-flag` */
const refuseFlagsOfSuites = (flags: FlagValues, file: string): void => {
  const given = OF_SUITES.find((name) => flags[name] !== undefined)
  if (given === undefined) return
  throw new ProblemError({
    code: 'cli/unsupported-flag',
    message: `${flagNamed(given)} says nothing of ${file}, which holds means of finished runs`,
    where: { field: flagNamed(given) },
    remedy: 'Leave it out; --models-to-run and --groups-to-run choose among rows and columns.',
  })
}

const analyzeFile = async (invocation: Invocation, name: string): Promise<Analysis> => {
  const { cwd, flags, warn } = invocation
  refuseFlagsOfSuites(flags, name)
  const file = resolve(cwd, name)
  const workspace = await findWorkspace(cwd)
  const benchmarks = await readableBenchmarks({ workspace: workspace.root }, invocation)
  const given = await readGivenFile(file, 'leaderboard', warn)
  const choice = { models: listFlag(flags, 'modelsToRun'), groups: listFlag(flags, 'groupsToRun') }
  const { table, winRates } = chooseScores(leaderboardOf(given, benchmarks), choice, {
    file,
    benchmarks,
  })
  return analyze(name, table, { winRates })
}

const analyzeSuites = (invocation: Invocation, form: Form): Promise<ExitCode> =>
  withSession(invocation, {}, async (session) => {
    const { runs, missing } = await builtRuns(invocation, session)
    const analyses: Analysis[] = []
    for (const suite of new Set(runs.map((run) => run.suite)))
      analyses.push(await suiteAnalysis(suite, runs, session))
    tell(analyses, form, invocation)
    for (const line of missingLines(missing)) invocation.warn(line)
    return missing.length > 0 ? EXIT.incomplete : EXIT.done
  })

/** A file that holds a table alone leaves what it lacks to be told beside it. */
const tell = (analyses: readonly Analysis[], form: Form, { print, warn }: Invocation): void => {
  print(show(analyses, form))
  if (form.kind === 'csv' || form.kind === 'latex')
    for (const note of analyses.flatMap((each) => analysisNotes(each, form.table ?? 'standings'))) warn(note)
}

const show = (analyses: readonly Analysis[], { kind, table }: Form): string => {
  if (kind === 'json') return JSON.stringify({ analyses })
  if (kind === 'text') return analyses.map((each) => formatAnalysis(each, table)).join('\n\n')
  const [only, ...others] = analyses
  if (only === undefined || others.length > 0)
    throw badArgument(
      'suites-or-file',
      `--csv and --latex print one table, and there are ${analyses.length} suites`,
      `Name one of: ${analyses.map(({ name }) => name).join(', ')}.`,
    )
  return (kind === 'csv' ? csvAnalysis : latexAnalysis)(only, table ?? 'standings')
}

const noInstances = (file: string): ProblemError =>
  new ProblemError({
    code: 'analysis/no-instances',
    message: `${file} holds means only: detectable effects and subgroups need the scores of each instance`,
    where: { field: '--table' },
    remedy: 'Name a suite that was run instead.',
  })
