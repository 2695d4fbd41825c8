import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { keptRatings } from '../../ratings/kept-ratings.ts'
import type { RatableAnswers } from '../../ratings/rated-runs.ts'
import { listStudies, readPlan, tellCut } from '../../ratings/study-folder.ts'
import type { Session } from '../../session/session.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { agreementAction, deskAgreement, showAgreement } from '../agreement/action.ts'
import { studyRuns } from '../common/built-runs.ts'
import { keepCalibrations, onBoard, showCalibrations } from '../jury/calibrate.ts'
import { deskLabels } from '../jury/labels.ts'
import { boolFlag, nameFlag, textFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { reportRaters, requireOwnHandedIn } from './report-raters.ts'
import { showStatus } from './status.ts'
import { studyFlag } from './study-flag.ts'

/**
 * `medmake rate report`: what came of a study, as `rate status`, `agreement` and `jury calibrate` tell it of that study alone,
 * concerns for safety first, then its raters; with `--rater` that rater's part alone. A table's ratings without `--suite` are
 * held against what stood beside them, and calibrate nothing.
 */
export const rateReport = async (invocation: Invocation): Promise<ExitCode> => {
  const { flags, cwd, print, warn } = invocation
  const workspace = await findWorkspace(cwd)
  const { root } = workspace
  const study = studyFlag(flags, root)
  const suite = nameFlag(flags, 'suite')
  const kept = keptRatings(root, [study])
  const suites = kept.studies[0]?.suites ?? (suite === undefined ? [] : [suite])
  tellCut(kept.logs, warn)
  const rater = textFlag(flags, 'rater')
  const gap = (): void => void (boolFlag(flags, 'json') || print(''))
  if (rater === undefined) {
    showStatus(study, kept, invocation)
    gap()
  } else requireOwnHandedIn(rater, kept)
  const studies = listStudies(root)
  const plans = kept.studies.length > 0 ? kept.studies : studies.flatMap((each) => readPlan(root, each) ?? [])
  if (suites.length === 0) {
    if (rater === undefined) {
      await agreementAction({ ...invocation, args: [], flags: { ...flags, study } })
      gap()
    }
    reportRaters({ study, kept, plans, runs: [] }, invocation)
    return EXIT.done
  }
  const use = { workspace, readOnly: rater !== undefined, suites: [...suites] }
  return withSession(invocation, use, async (session) => {
    const found = await suiteRuns(suites, invocation, session)
    const runs = found.flatMap(([, own]) => own)
    if (rater === undefined) {
      // A board is of all that was rated.
      const isAll = studies.length === 1
      const board = isAll ? { session } : {}
      const used = { suites: found.map(([each]) => each), invocation, ...board }
      showAgreement(await deskAgreement(kept, runs, used), invocation)
      gap()
      for (const [each, own] of found) {
        const labelled = deskLabels({ ...kept, studies: plans }, own, invocation)
        if (labelled === undefined) {
          warn(`Nobody rated an answer of the suite ${each} yet.`)
          continue
        }
        const judged = own.map(({ run }) => run)
        const last = isAll ? onBoard(each) : aloneText(study, each)
        const calibrated = showCalibrations(judged, labelled, { suite: each, last }, invocation)
        if (isAll) await keepCalibrations(judged, calibrated, session)
        gap()
      }
    }
    reportRaters({ study, kept, plans, runs }, invocation)
    return EXIT.done
  })
}

const aloneText = (study: string, suite: string): string =>
  `Of study ${study} alone; the board's, of all: \`medmake jury calibrate --suite ${suite}\` and \`medmake agreement\`.`

/** Judged runs by suite; what a suite lacks is told, as long as another has some. */
const suiteRuns = async (
  suites: readonly string[],
  invocation: Invocation,
  session: Session,
): Promise<readonly (readonly [suite: string, runs: readonly RatableAnswers[]])[]> => {
  const found = []
  const lacking = []
  for (const suite of suites)
    try {
      found.push([suite, await studyRuns({ suites: [suite] }, invocation, session)] as const)
    } catch (error) {
      if (!(error instanceof ProblemError) || !error.problems.every(({ code }) => code.startsWith('jury/')))
        throw error
      lacking.push(error)
    }
  if (found.length === 0 && lacking[0] !== undefined) throw lacking[0]
  for (const { problems } of lacking) invocation.warn(formatProblems(problems, false))
  return found
}
