import { relative } from 'node:path'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import type { Claim } from '../../../cache/store.ts'
import { digestJson } from '../../../cache/values/digest.ts'
import { makeStudy, type StudyWish } from '../../../targets/ratings/make-study.ts'
import { ratedUnits, type RatedUnits } from '../../../targets/ratings/rated-units.ts'
import { residualsOf } from '../../../targets/ratings/residuals.ts'
import { commonRubric } from '../../../targets/ratings/rubric/item-rubric.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import { frameKey, planJson, planText, rangeOf } from '../../ratings/format-plan.ts'
import type { RatableAnswers } from '../../ratings/rated-runs.ts'
import {
  knownRaters,
  listStudies,
  readAllEvents,
  readPlan,
  tellCut,
  writePlan,
} from '../../ratings/study-folder.ts'
import type { Session } from '../../session/session.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { ratableRuns } from '../common/built-runs.ts'
import { suitesOf } from '../common/suites.ts'
import {
  badFlag,
  boolFlag,
  choiceFlag,
  countFlag,
  pointsFlag,
  refuseBeside,
  shareFlag,
  textFlag,
} from '../flags.ts'
import type { FlagValues, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { safeName } from '../../ratings/safe-name.ts'
import { studyFlag } from './study-flag.ts'

/** `medmake rate plan [suites]`: draws which answers are rated by whom; of a study that there is it draws more. */
export const ratePlan = async (invocation: Invocation): Promise<ExitCode> => {
  refuseBeside(invocation.flags, 'labels', ['halfWidth'])
  const workspace = await findWorkspace(invocation.cwd)
  const id = studyFlag(invocation.flags, workspace.root)
  return withSession(invocation, { workspace }, async (session) => {
    const claim = await claimPlan(session, id)
    try {
      return await drawPlan(invocation, session, id)
    } finally {
      await claim.release()
    }
  })
}

const drawPlan = async (invocation: Invocation, session: Session, id: string): Promise<ExitCode> => {
  const { flags, cwd, print } = invocation
  const { root } = session.workspace
  const before = listStudies(root).includes(id) ? readPlan(root, id) : undefined
  const args = invocation.args.length > 0 ? invocation.args : (before?.suites ?? [])
  const suites = await suitesOf({ ...invocation, args }, session)
  const runs = await ratableRuns(suites, session, invocation)
  const wish = wishOf(flags, { id, root, before, suites: suites.map(({ suite }) => suite) })
  const events = readAllEvents(root)
  tellCut(events, invocation.warn)
  const rubrics = new Map(runs.map(({ benchmark, run }) => [benchmark, commonRubric(run.jury)]))
  const rated = ratedUnits(events)
  const study = makeStudy(
    runs.map(({ run, ...rest }) => ({
      ...rest,
      access: run.target.spec.benchmark.access,
      range: rangeOf(commonRubric(run.jury)),
    })),
    wish,
    { ...(before === undefined ? {} : { before }), rated },
  )
  const file = writePlan(root, study)
  const residuals = residualVariances(runs, rated)
  const shown = { study, rubrics, events, residuals, ...(before === undefined ? {} : { before }) }
  if (boolFlag(flags, 'json')) print(JSON.stringify({ file, ...planJson(shown) }))
  else print(planText({ ...shown, file: relative(cwd, file) }))
  return EXIT.done
}

/** Of two that drew at once, one would take back what the other told. @throws ProblemError `ratings/plan-in-use` */
const claimPlan = async ({ store }: Pick<Session, 'store'>, study: string): Promise<Claim> => {
  const claim = await store.claim(digestJson(['plan of', study]))
  if (claim !== undefined) return claim
  throw new ProblemError({
    code: 'ratings/plan-in-use',
    message: `another process draws the study ${study}`,
    where: { field: '--study' },
    remedy: 'Run this again once that one has ended.',
  })
}

/** What juries leave unexplained of runs of which enough was rated: what further labels are worth goes by it. */
const residualVariances = (runs: readonly RatableAnswers[], rated: RatedUnits): ReadonlyMap<string, number> =>
  new Map(
    runs.flatMap((run) => {
      const found = residualsOf(run.answers, rated, [])
      return found === undefined ? [] : [[frameKey(run), found.variance] as const]
    }),
  )

const wishOf = (
  flags: FlagValues,
  {
    id,
    root,
    before,
    suites,
  }: Pick<StudyWish, 'id' | 'suites'> & { readonly root: string; readonly before: Study | undefined },
): StudyWish => {
  const raters = ratersFlag(flags, knownRaters(root, id))
  const labels = countFlag(flags, 'labels')
  const known = before?.raters.map(({ name }) => name) ?? []
  const seed = textFlag(flags, 'seed')
  if (before !== undefined && seed !== undefined && seed !== before.seed) throw otherSeed(before.seed)
  if (raters.length === 0 && known.length === 0) throw noRaters()
  return {
    id,
    seed: before?.seed ?? seed ?? '1',
    suites,
    raters: [...new Set([...known, ...raters])],
    overlap: shareFlag(flags, 'overlap') ?? before?.overlap ?? OVERLAP,
    size: labels === undefined ? widthOf(flags) : { labels },
    practice: countFlag(flags, 'practice', 0) ?? PRACTICE,
    allocation: choiceFlag(flags, 'allocation', ['proportional', 'neyman'] as const) ?? 'proportional',
  }
}

const widthOf = (flags: FlagValues): StudyWish['size'] => {
  const halfWidth = pointsFlag(flags, 'halfWidth')
  return halfWidth === undefined ? { share: HALF_WIDTH } : { halfWidth }
}

const OVERLAP = 0.3
/** Of the scale: 0.2 points from 1 to 5. */
const HALF_WIDTH = 0.05
const PRACTICE = 3

/** @throws ProblemError `cli/bad-flag` */
export const ratersFlag = (flags: FlagValues, known: readonly string[]): readonly string[] => {
  const names = (textFlag(flags, 'raters') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name, at, all) => safeName(name, '--raters', [...known, ...all.slice(0, at)]))
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice === undefined) return names
  throw badFlag('--raters', `--raters names ${twice} twice`, 'Two raters need two names.')
}

const noRaters = (): ProblemError =>
  new ProblemError({
    code: 'ratings/no-raters',
    message: 'a plan wants to know who rates',
    where: { field: '--raters' },
    remedy: 'Write --raters ann,bob: names or codes, with commas between.',
  })

const otherSeed = (seed: string): ProblemError =>
  new ProblemError({
    code: 'ratings/other-seed',
    message: `the study was drawn with the seed ${seed}, and more of it is drawn with the same`,
    where: { field: '--seed' },
    remedy: 'Leave out --seed, or begin another study with --study.',
  })
