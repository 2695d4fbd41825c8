import type { Table } from '../../../benchmarks/sources/table.ts'
import { groupBy } from '../../../cache/lists.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { JudgedAnswer, RaterScore } from '../../../targets/jury/study/calibrated-score.ts'
import { labelledAnswers } from '../../../targets/ratings/planned-answers.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import { meanOf } from '../../../targets/statistics/mean.ts'
import type { JudgedTarget } from '../../jury/judged-runs.ts'
import type { RatedTargets, StoredAnswer } from '../../jury/rated-runs.ts'
import { linkRatings, type KeptRatings } from '../../ratings/kept-ratings.ts'
import { listStudies, readPlan } from '../../ratings/study-folder.ts'
import type { RatableAnswers } from '../../ratings/rated-runs.ts'
import type { Session } from '../../session/session.ts'
import { rateSuite } from '../common/rated-answers.ts'
import { textFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'

/** A run's judged answers with the clinicians' mean of each, by run. */
export type SuiteLabels = readonly LabelledAnswers[]

interface LabelledAnswers {
  readonly answers: readonly Omit<JudgedAnswer, 'source'>[]
  /** Those that nobody can rate: without a score of the jury, as blank ones are. */
  readonly unscored: number
}

/** Labels from tables of ratings. @throws ProblemError `jury/no-rated-answer`, `jury/planned-table`, `jury/lacking-criterion` */
export const tableLabels = async (
  tables: readonly Table[],
  runs: readonly JudgedTarget[],
  session: Session,
  { flags, warn }: Invocation,
): Promise<SuiteLabels> => {
  const suite = textFlag(flags, 'suite') ?? ''
  const { found, answers, lacked } = await rateSuite(tables, runs, { suite, warn, session })
  if (lacked !== undefined)
    throw new ProblemError({
      code: 'jury/lacking-criterion',
      message: lacked,
      remedy: 'Name columns as the rubric names criteria.',
    })
  refusePlanned(found, session, suite)
  const ratings = new Map<StoredAnswer, RaterScore[]>()
  for (const { rating, answer } of found)
    ratings.set(answer, [
      ...(ratings.get(answer) ?? []),
      { rater: rating.rater, score: meanOf(rating.scores) },
    ])
  return answers.map((own) => ({
    unscored: own.filter(({ jury }) => jury === null).length,
    answers: own.flatMap((answer) => {
      const { instance, jury } = answer
      const given = ratings.get(answer)
      // Sorted, so that no digit hangs on the order of the file.
      const scores = given?.map(({ score }) => score).toSorted((a, b) => a - b)
      const label = scores === undefined ? null : meanOf(scores)
      return jury === null ? [] : [{ instance, jury, label, ...(given && { given }) }]
    }),
  }))
}

/** A table lacks the weights of the plan that drew its answers. */
const refusePlanned = (
  found: RatedTargets['found'],
  { workspace: { root } }: Session,
  suite: string,
): void => {
  const named = new Set(found.map(({ rating: { study } }) => study))
  const drawn = listStudies(root)
    .filter((study) => named.has(study))
    .flatMap((study) => readPlan(root, study)?.units ?? [])
  const answers = new Set(drawn.map(({ answer }) => answer))
  const first = found.find(({ rating: { answer } }) => answer !== undefined && answers.has(answer))
  if (first === undefined) return
  throw new ProblemError({
    code: 'jury/planned-table',
    message: `answers of the table were drawn by the plan of study ${first.rating.study}, and a table knows nothing of its strata`,
    remedy: `Write \`medmake jury calibrate --suite ${suite}\` without a table: what was rated here counts by its draw.`,
  })
}

/**
 * Labels that were given in the desk, or imported; undefined without any. Where a plan drew among a run's answers, they are its
 * sample.
 */
export const deskLabels = (
  kept: KeptRatings,
  ratable: readonly RatableAnswers[],
  { warn }: Pick<Invocation, 'warn'>,
): SuiteLabels | undefined => {
  if (linkRatings(kept, ratable).found.length === 0) return undefined
  const labelled = ratable.map((run) => ({ run, ...labelledAnswers(run, kept.studies, kept.rated) }))
  const grown = labelled.flatMap(({ run, plan }) =>
    plan === undefined || plan.since === 0 ? [] : [{ run, ...plan }],
  )
  for (const [, own] of groupBy(grown, ({ study }) => study.id)) warn(grownText(own))
  const ofOthers = labelled.filter((each) => each.ofOthers > 0)
  if (ofOthers.length > 0) warn(ofOthersText(ofOthers))
  return labelled.map(({ answers, run }) => ({
    answers,
    unscored: run.answers.filter(({ jury, unrated }) => jury === null || unrated !== undefined).length,
  }))
}

const nameOf = ({ benchmark, model }: RatableAnswers): string => `${benchmark} by ${model}`

const grownText = (
  own: readonly { readonly run: RatableAnswers; readonly study: Study; readonly since: number }[],
): string => {
  const [{ id, suites, raters } = { id: '', suites: [], raters: [] }] = own.map(({ study }) => study)
  const names = raters.map(({ name }) => name).join(',')
  return (
    `Answers came since study ${id} drew: ${own.map(({ run, since }) => `${since} of ${nameOf(run)}`).join(', ')}. Its labels say nothing of them. ` +
    `\`medmake rate plan ${suites.join(' ')} --study ${id} --raters ${names}\` draws among them, and keeps what is rated.`
  )
}

const ofOthersText = (own: readonly { readonly run: RatableAnswers; readonly ofOthers: number }[]): string =>
  `Left out, as a plan drew these answers of other models, which gave the same texts: ${own.map(({ run, ofOthers }) => `${plural(ofOthers, 'label')} of ${nameOf(run)}`).join(', ')}. ` +
  '`medmake rate plan` draws among the answers of these, too.'
