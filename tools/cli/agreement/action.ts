import { defined } from '../../../cache/values/defined.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { EXIT } from '../../../cache/problems/problem.ts'
import { measureAgreement, POOLED, type Agreement } from '../../../targets/jury/study/agreement.ts'
import { unequalShares } from '../../../targets/ratings/draw/drawn-shares.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import type { CompositeRule } from '../../../targets/jury/published-agreement.ts'
import { readAllRatings } from '../../../targets/jury/study/ratings.ts'
import { textMeasures } from '../../../targets/metrics/catalog.ts'
import { PROFILES } from '../../../targets/profile.ts'
import { agreementText, opposedText } from '../../jury/format-agreement.ts'
import { judgedTargets } from '../../jury/judged-runs.ts'
import { keepClinicianStudies } from '../../jury/clinician-study.ts'
import { forgetSite } from '../../nx/kept-token.ts'
import { withRun, type RatedTargets } from '../../jury/rated-runs.ts'
import { isBuiltIn } from '../../session/suites.ts'
import { resolveTargets } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { boolFlag, choiceFlag, nameFlag } from '../flags.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { lackedOf, nothingRated, rateSuite, readTables, orphansText } from '../common/rated-answers.ts'
import { ratableRuns } from '../common/built-runs.ts'
import {
  keptRatings,
  linkRatings,
  ratingsOfRuns,
  ratedBy,
  ratingsOfTables,
  type KeptRatings,
} from '../../ratings/kept-ratings.ts'
import { unitKey } from '../../../targets/ratings/unit.ts'
import { forgetStudies } from '../../../targets/runs/kept-study.ts'
import type { RatableAnswers } from '../../ratings/rated-runs.ts'
import { tellCut } from '../../ratings/study-folder.ts'
import { suitesOf } from '../common/suites.ts'

/** `medmake agreement`: clinicians' ratings, of tables or of the desk, against the jury and other metrics, per benchmark and pooled. */
export const agreementAction: Action = async (invocation) => {
  const rule = compositeRule(invocation)
  showAgreement(await (invocation.args.some(isTable) ? ofTables : ofDesk)(invocation, rule), invocation)
  return EXIT.done
}

const compositeRule = ({ flags }: Pick<Invocation, 'flags'>): CompositeRule =>
  choiceFlag(flags, 'profile', PROFILES) === 'paper-2025' ? 'script' : 'text'

export const showAgreement = (
  { found, scores }: Found,
  invocation: Pick<Invocation, 'flags' | 'print'>,
): void => {
  const { flags, print } = invocation
  const rule = compositeRule(invocation)
  if (boolFlag(flags, 'json')) print(JSON.stringify({ rule, scores, agreement: found }))
  else print([...found.map(agreementText), ...opposedText(found), ruleText(rule)].join('\n\n'))
}

interface Found {
  readonly found: readonly Agreement[]
  /** Where the jury's scores come from. */
  readonly scores: string
}

/** Everything else names a suite. */
const isTable = (name: string): boolean => !isBuiltIn(name) && /\.[^./\\]+$/.test(name)

const ofTables = async (invocation: Invocation, rule: CompositeRule): Promise<Found> => {
  const { args, flags, warn } = invocation
  const tables = await readTables(args, invocation)
  const suite = nameFlag(flags, 'suite')
  if (suite === undefined)
    return {
      found: measureAgreement(readAllRatings(tables, { automatic: textMeasures() }), rule),
      scores: 'table',
    }
  return withSession(invocation, { suites: [suite] }, async (session) => {
    const suites = await suitesOf({ ...invocation, args: [suite] }, session)
    const runs = await judgedTargets(await resolveTargets(suites, session), session, invocation.warn, {
      takesItems: true,
      allowFailures: boolFlag(flags, 'allowFailures'),
    })
    const { found, lacked } = await rateSuite(tables, runs, { suite, warn, session })
    if (lacked !== undefined) warn(lacked)
    return { found: await ofRuns({ found, studies: [], rule }, session), scores: `suite ${suite}` }
  })
}

/** What was rated in the desk, or imported: by the runs of suites, or with --study alone by what stood beside it. */
const ofDesk = async (invocation: Invocation, rule: CompositeRule): Promise<Found> => {
  const { args, flags, cwd, warn } = invocation
  const workspace = await findWorkspace(cwd)
  const study = nameFlag(flags, 'study')
  const suite = nameFlag(flags, 'suite')
  const suites = [...args, ...(suite === undefined ? [] : [suite])]
  const kept = keptRatings(workspace.root, study === undefined ? undefined : [study])
  tellCut(kept.logs, warn)
  const tables = study === undefined || suites.length > 0 ? [] : ratingsOfTables(kept)
  if (tables.length > 0) {
    const left = ratedBy(kept) - tables.length
    if (left > 0)
      warn(
        `${plural(left, 'rating has', 'ratings have')} no scores of a jury beside them: left out here. Name the suite whose runs hold the answers.`,
      )
    return { found: withShares(measureAgreement(tables, rule), kept.studies), scores: `study ${study}` }
  }
  const named = suites.length > 0 ? suites : kept.studies.flatMap((each) => each.suites)
  return withSession(invocation, { workspace, suites: named }, async (session) => {
    const entries = await suitesOf({ ...invocation, args: [...new Set(named)] }, session)
    return deskAgreement(kept, await ratableRuns(entries, session, invocation), {
      suites: entries.map((each) => each.suite),
      invocation,
      session,
    })
  })
}

/**
 * What was rated, held against runs.
 * @param options with a session it is kept for the board, where nothing rests any more on what was withdrawn
 * @throws ProblemError `jury/no-rated-answer`
 */
export const deskAgreement = async (
  kept: KeptRatings,
  runs: readonly RatableAnswers[],
  {
    suites,
    invocation,
    session,
  }: { readonly suites: readonly string[]; readonly invocation: Invocation; readonly session?: Session },
): Promise<Found> => {
  const linked = linkRatings(kept, runs)
  if (linked.orphans.length > 0) invocation.warn(orphansText(linked.orphans, runs))
  const found = ratingsOfRuns(linked)
  const taken = new Set(
    kept.logs.flatMap(({ events }) =>
      events.flatMap(({ subject, content }) => (subject && content === null ? [unitKey(subject)] : [])),
    ),
  )
  const withdrawn = runs.flatMap(({ run, answers }) =>
    answers.some((answer) => taken.has(unitKey(answer))) ? [run.digest] : [],
  )
  if (session) await forgetStudies('clinicians', withdrawn, session.env.records)
  if (found.length === 0) throw nothingRated()
  const lacked = lackedOf(found)
  if (lacked !== undefined) invocation.warn(lacked)
  const rated = { found, studies: kept.studies, rule: compositeRule(invocation) }
  return { found: await ofRuns(rated, session), scores: `suite ${suites.join(' ')}` }
}

interface RatedBy extends Pick<RatedTargets, 'found'> {
  readonly studies: readonly Study[]
  readonly rule: CompositeRule
}

/** Kept for the board, where there is a session, which shows it on its page of judges. */
const ofRuns = async (
  { found, studies, rule }: RatedBy,
  session?: Session,
): Promise<readonly Agreement[]> => {
  const ratings = found.map(({ rating, answer }) => withRun(rating, answer))
  const agreements = withShares(measureAgreement(ratings, rule), studies)
  if (session === undefined) return agreements
  await keepClinicianStudies(agreements, found, session.env.records)
  forgetSite(session.workspace)
  return agreements
}

const withShares = (found: readonly Agreement[], studies: readonly Study[]): readonly Agreement[] =>
  found.map((each) =>
    defined({ ...each, drawn: unequalShares(studies, each.name === POOLED ? undefined : each.name) }),
  )

const ruleText = (rule: CompositeRule): string =>
  rule === 'text'
    ? "ICCs are of z-scores within each rater, as the MedHELM paper's text says; --profile paper-2025 follows its script."
    : "The jury's ICCs follow the script of the MedHELM paper: of the mean of raw and z-scored composites. Its text says z-scores alone, the default."
