import type { Digest } from '../../cache/values/digest.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { Jury } from '../../benchmarks/scenario/benchmark.ts'
import { InstanceSources } from '../../targets/runs/instance-sources.ts'
import { readingOf, type JuryReading } from '../../targets/jury/stored-judgements.ts'
import { viewRecord, type RecordView } from '../../targets/walk/modes/read.ts'
import { judgedCoverage } from '../../targets/runs/judged-coverage.ts'
import { isCovered, type Coverage } from '../../targets/record/coverage.ts'
import type { Target } from '../../targets/record/target.ts'
import { targetKey } from '../../targets/keys/keys.ts'
import { shortfallText } from '../compare/coverage-text.ts'
import { builtRun, notFinished, RUN_FLAGS } from '../session/built-run.ts'
import type { SuiteTarget } from '../session/resolve-targets.ts'
import type { Session } from '../session/session.ts'

/** A built run of a benchmark with a jury. */
export interface JudgedTarget {
  readonly target: Target
  readonly jury: Jury
  readonly view: RecordView
  /** Of the record that the view reads. */
  readonly digest: Digest<'record'>
  /** How the record's judgements are read. */
  readonly reading: JuryReading
  readonly coverage: Coverage
  /** The source of each instance that shares one, by id. */
  readonly sources: ReadonlyMap<string, string>
}

export interface JudgedOptions {
  /**
   * Juries that grade items of each instance's own rubric are taken, too, where they score as HealthBench's authors do:
   * what clinicians say of items gives the same score. With medhelm 0.8.0's folded points and comparison it does not.
   * Clinicians are shown one answer to an instance: of several trials the first, which is told.
   */
  readonly takesItems?: boolean
  /** Runs that are not built are told and left out, as long as others are. */
  readonly skipsUnbuilt?: boolean
  /** Runs in which some instances failed are taken, too. */
  readonly allowFailures?: boolean
}

/**
 * The runs that a jury read, each once however many suites name it.
 * @param warn is told of benchmarks whose judges grade the items of each instance's own rubric: most studies are of
 *   rubrics that are the same for all
 * @throws ProblemError `jury/not-built` for a run that is not built as it is declared now, `jury/no-jury` without any,
 *   `jury/item-rubric` where all juries are such
 */
export const judgedTargets = async (
  targets: readonly SuiteTarget[],
  session: Session,
  warn: (text: string) => void,
  { takesItems = false, skipsUnbuilt = false, allowFailures = false }: JudgedOptions,
): Promise<readonly JudgedTarget[]> => {
  const graded = new Set<string>()
  const seen = new Set<string>()
  const sources = new InstanceSources(session.env)
  const judged: JudgedTarget[] = []
  const unbuilt: SuiteTarget[] = []
  for (const each of targets) {
    const { jury } = each.target.spec.benchmark
    if (jury === undefined) continue
    if (jury.grading !== undefined && !(takesItems && jury.grading.style === 'health-bench')) {
      graded.add(each.target.spec.benchmark.name)
      continue
    }
    const { digest } = await targetKey(each.target, session.env.profile)
    if (seen.has(digest)) continue
    seen.add(digest)
    const run = await openRun(each, jury, session, allowFailures)
    if (run === undefined) {
      unbuilt.push(each)
      continue
    }
    const lacks = shortfallText(run.coverage)
    if (lacks !== '')
      warn(`${each.target.spec.name} is not whole: ${lacks}. What is missing counts nowhere here.`)
    const { numTrainTrials: trials } = each.target.spec.adapter
    if (takesItems && trials > 1)
      warn(
        `${each.target.spec.name}: of ${trials} trials the first alone counts, as clinicians are shown one.`,
      )
    const { target } = each
    judged.push({ target, jury, ...run, sources: await sources.of(target.spec.benchmark) })
  }
  const [missing] = unbuilt
  if (missing !== undefined && (!skipsUnbuilt || judged.length === 0)) throw notBuilt(missing)
  for (const each of unbuilt) warn(`Left out: ${notBuilt(each).message}`)
  if (judged.length === 0) throw graded.size === 0 ? nothingJudged() : onlyItems([...graded])
  if (graded.size > 0) warn(`Left out: ${itemsText([...graded])}.`)
  return judged
}

/** Undefined for one that is not built as it is declared now. */
const openRun = async (
  each: SuiteTarget,
  jury: Jury,
  { env }: Session,
  allowFailures: boolean,
): Promise<Pick<JudgedTarget, 'view' | 'digest' | 'reading' | 'coverage'> | undefined> => {
  const { target } = each
  const built = await builtRun(each, { env }, allowFailures)
  if (built === undefined) return undefined
  return {
    view: await viewRecord(target, built, env),
    digest: built.digest,
    reading: readingOf(jury, target.judges, built.record.profile),
    coverage: judgedCoverage(built.record, target.spec.benchmark.mainMetric.split),
  }
}

/** Whether the board would rank it, by its coverage with its judgements. */
export const isRankedRun = (
  { coverage, target }: JudgedTarget,
  { workspace }: Pick<Session, 'workspace'>,
): boolean => isCovered(coverage, target.spec.benchmark.coverageFloor ?? workspace.config.coverage_floor)

/** Below a table in which a model has a score and no rank. */
export const UNRANKED =
  '  Without a rank: under the floor of coverage, as on the board; in no pair that swaps.'

const notBuilt = ({ suite, target: { spec } }: SuiteTarget): ProblemError =>
  notFinished(
    'jury/not-built',
    `${spec.name} is not built as it is declared now`,
    `Run \`medmake run ${suite}\` first, with the same ${RUN_FLAGS}`,
  )

const nothingJudged = (): ProblemError =>
  new ProblemError({
    code: 'jury/no-jury',
    message: 'no benchmark of these suites has a jury',
    remedy: 'Name a suite with a benchmark whose metrics are a jury’s, such as jury_score.',
  })

const itemsText = (names: readonly string[]): string =>
  `${names.join(', ')}, whose judges say item by item whether an answer meets the rubric of its own question`

const onlyItems = (names: readonly string[]): ProblemError =>
  new ProblemError({
    code: 'jury/item-rubric',
    message: `this is of rubrics that are the same for all questions; the suites hold only ${itemsText(names)}`,
    remedy:
      'Name a suite whose juries score by one rubric; the grades of each item stand in scenario_state.json.',
  })
