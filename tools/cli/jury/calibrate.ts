import { defined } from '../../../cache/values/defined.ts'
import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import { isShown } from '../../../targets/access/suppress-small.ts'
import { leadsOf } from '../../../targets/metrics/catalog.ts'
import {
  calibrateScenarios,
  MORE_LABELS,
  type CalibratedModel,
  type CalibratedScenario,
  type JudgedScenario,
} from '../../../targets/jury/study/calibrate.ts'
import { nextLabels } from '../../../targets/jury/next-labels.ts'
import { scenarioOf } from '../../../targets/runs/board-metric.ts'
import type { BoardCalibration } from '../../../targets/runs/board-run.ts'
import { calibrationText, nextText } from '../../jury/format-calibration.ts'
import { judgedTargets, type JudgedTarget } from '../../jury/judged-runs.ts'
import { lackedCriteria } from '../../jury/rated-runs.ts'
import { keepCalibration } from '../../../targets/runs/stored-calibration.ts'
import type { Session } from '../../session/session.ts'
import { boolFlag, countFlag, pointsFlag, textFlag, badArgument } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { forgetSite } from '../../nx/kept-token.ts'
import { nothingRated, orphansText, readTables } from '../common/rated-answers.ts'
import { keptRatings, linkRatings } from '../../ratings/kept-ratings.ts'
import { ratableRun } from '../../ratings/rated-runs.ts'
import { tellCut } from '../../ratings/study-folder.ts'
import { deskLabels, tableLabels, type SuiteLabels } from './labels.ts'
import { targetsOf } from '../common/suites.ts'

/**
 * `medmake jury calibrate [RATINGS...] --suite S`: what clinicians would give, from the few answers that they rated, in
 * tables or in the desk, and the jury's scores of all. Kept for the board, which shows it beside the jury's own score.
 */
export const juryCalibrate = async (invocation: Invocation): Promise<ExitCode> => {
  const { args, flags, warn } = invocation
  const suite = textFlag(flags, 'suite')
  if (suite === undefined)
    throw badArgument(
      '--suite',
      'medmake jury calibrate wants a suite, whose answers were rated',
      'Write `medmake jury calibrate --suite main`, with a table of ratings before it or without.',
    )
  const tables = await readTables(args, invocation)
  return withSession(invocation, { suites: [suite] }, async (session) => {
    const runs = await judgedTargets(
      await targetsOf({ ...invocation, args: [suite] }, session),
      session,
      warn,
      {
        takesItems: true,
        allowFailures: boolFlag(flags, 'allowFailures'),
      },
    )
    const labelled = await (tables.length > 0
      ? tableLabels(tables, runs, session, invocation)
      : allLabels(runs, session, invocation))
    if (labelled === undefined) {
      // Ratings that were withdrawn stand on no board.
      await keepCalibrations(runs, [], session)
      throw nothingRated()
    }
    await keepCalibrations(
      runs,
      showCalibrations(runs, labelled, { suite, last: onBoard(suite) }, invocation),
      session,
    )
    return EXIT.done
  })
}

/** Of all studies. */
const allLabels = async (
  runs: readonly JudgedTarget[],
  session: Session,
  invocation: Invocation,
): Promise<SuiteLabels | undefined> => {
  const kept = keptRatings(session.workspace.root)
  tellCut(kept.logs, invocation.warn)
  const ratable = []
  for (const run of runs) ratable.push(await ratableRun(run, session))
  const { orphans, found } = linkRatings(kept, ratable)
  const lacked = lackedCriteria(
    found.flatMap(({ rating, held }) =>
      held.map(({ run }) => ({ criteria: Object.keys(rating.content.scores), run: run.run })),
    ),
  )
  if (lacked !== undefined) invocation.warn(lacked)
  if (orphans.length > 0) invocation.warn(orphansText(orphans, ratable))
  return deskLabels(kept, ratable, invocation)
}

export const onBoard = (suite: string): string =>
  `\`medmake report ${suite}\` shows the calibrated scores beside the jury's own.`

/** @param shown whose runs they are, and what is told below the text */
export const showCalibrations = (
  runs: readonly JudgedTarget[],
  labelled: SuiteLabels,
  { suite, last }: { readonly suite: string; readonly last: string },
  { flags, print }: Pick<Invocation, 'flags' | 'print'>,
): readonly CalibratedScenario[] => {
  const halfWidth = pointsFlag(flags, 'halfWidth')
  const more = countFlag(flags, 'labels') ?? MORE_LABELS
  const found = calibrateScenarios(judgedModels(runs, labelled), defined({ halfWidth, more }))
  const calibrations = found.map(({ calibration }) => calibration)
  const next = nextLabels(
    found.flatMap(({ calibration: { benchmark, models }, judged }) =>
      models.flatMap((calibrated, index) => {
        const own = judged[index]
        // More of a planned sample is drawn by its plan.
        return own === undefined || calibrated.sample === 'planned'
          ? []
          : [{ benchmark, judged: own, calibrated }]
      }),
    ),
    more,
  )
  if (boolFlag(flags, 'json')) print(JSON.stringify({ suite, calibrations, next }))
  else print([...calibrations.map(calibrationText), ...nextText(next), last].join('\n\n'))
  return found
}

const judgedModels = (runs: readonly JudgedTarget[], labelled: SuiteLabels): readonly JudgedScenario[] =>
  runs.map(({ target: { spec }, jury, sources }, index) => ({
    run: spec.name,
    scenario: scenarioOf(spec.name),
    model: spec.adapter.modelDeployment,
    isClosed: !isShown(spec.benchmark),
    jury,
    unscored: labelled[index]?.unscored ?? 0,
    answers: (labelled[index]?.answers ?? []).map((answer) => {
      const source = sources.get(answer.instance)
      return { ...answer, ...(source === undefined ? {} : { source }) }
    }),
  }))

/** For the board: only a score that stands on it has a calibrated one beside it. */
export const keepCalibrations = async (
  runs: readonly JudgedTarget[],
  found: readonly CalibratedScenario[],
  { env, workspace }: Session,
): Promise<void> => {
  const byRun = new Map(
    found.flatMap(({ calibration }) => calibration.models.map((each) => [each.run, each])),
  )
  for (const { target, digest } of runs) {
    const { benchmark, name } = target.spec
    const own = byRun.get(name)
    const shown = own !== undefined && isJuryMain(target) ? boardForm(own) : null
    await keepCalibration(digest, shown, { benchmark, env })
  }
  forgetSite(workspace)
}

const boardForm = ({ value, interval, labels, uncovered, facts }: CalibratedModel): BoardCalibration | null =>
  value === null ? null : defined({ value, interval, labels, bias: facts?.bias, uncovered })

const isJuryMain = ({ spec }: JudgedTarget['target']): boolean =>
  leadsOf(spec.metrics.map(({ helm }) => helm)).some(
    ({ as, name }) => as === 'judged' && name === spec.benchmark.mainMetric.name,
  )
