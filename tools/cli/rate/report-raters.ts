import { groupBy } from '../../../cache/lists.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { agreementOf } from '../../../targets/jury/study/agreement.ts'
import { hasHandedIn, type CurrentRating } from '../../../targets/ratings/current-ratings.ts'
import { namesItself } from '../../../targets/ratings/names-itself.ts'
import { hasOpened, raterReports } from '../../../targets/ratings/rater-report.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import { unitKey } from '../../../targets/ratings/unit.ts'
import { withRun } from '../../jury/rated-runs.ts'
import { reportText, type AgreementSplit, type RatingReport } from '../../ratings/format-report.ts'
import { answerText } from '../../ratings/kept-answers.ts'
import { linkRatings, ratingsOfRuns, type KeptRatings } from '../../ratings/kept-ratings.ts'
import { juryOf, type RatableAnswers } from '../../ratings/rated-runs.ts'
import { ratersOf } from '../../ratings/study-folder.ts'
import { boolFlag, textFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'

interface Reported {
  readonly study: string
  readonly kept: KeptRatings
  /** Who drew the answers: the study, or where it was imported the studies that did. */
  readonly plans: readonly Study[]
  readonly runs: readonly RatableAnswers[]
}

/**
 * Raters' levels, agreement and drift, and how blind they were; for the coordinator. With `--rater` what that rater may see of it,
 * once it is handed in.
 */
export const reportRaters = (
  reported: Reported,
  { flags, print }: Pick<Invocation, 'flags' | 'print'>,
): void => {
  const rater = textFlag(flags, 'rater')
  const report = reportOf(reported)
  const shown = rater === undefined ? report : ownPart(report, rater)
  print(boolFlag(flags, 'json') ? JSON.stringify(shown) : reportText(shown))
}

const reportOf = ({ study, kept, plans, runs }: Reported): RatingReport => {
  const naming = answersNaming(kept, runs)
  return {
    study,
    raters: raterReports(kept.logs, {
      plans,
      juryOf: juryOf(runs),
    }),
    // Who imported a table never had a desk that asks.
    recognised: Object.fromEntries(
      (kept.studies.length === 0 ? [] : kept.logs).map(({ rater, events }) => [
        rater,
        events.findLast(({ recognised }) => recognised !== undefined)?.recognised ?? null,
      ]),
    ),
    namesItself: { answers: [...naming.values()].filter(Boolean).length, of: naming.size },
    splits: [
      ...splitsOf('reference', ['opened', 'not opened'], hasOpened, { kept, runs }),
      ...splitsOf('answer', ['names a model', 'names none'], ({ subject }) => naming.get(unitKey(subject)), {
        kept,
        runs,
      }),
    ],
  }
}

/** Of the rated answers that runs hold, whether they name a model. */
const answersNaming = (
  { rated }: KeptRatings,
  runs: readonly RatableAnswers[],
): ReadonlyMap<string, boolean> => {
  const models = runs.map(({ model }) => model.slice(model.lastIndexOf('/') + 1).toLowerCase())
  return new Map(
    runs.flatMap(({ run, answers }) =>
      answers.flatMap((answer, row) => {
        const key = unitKey(answer)
        if (!rated.has(key)) return []
        return [[key, namesItself(answerText(run.view.state(row)) ?? '', models)] as const]
      }),
    ),
  )
}

/** Agreement of both parts, by benchmark; nothing where all ratings are of one part. */
const splitsOf = (
  by: AgreementSplit['by'],
  parts: readonly [isSo: string, isNot: string],
  isSo: (rating: CurrentRating) => boolean | undefined,
  { kept, runs }: { readonly kept: KeptRatings; readonly runs: readonly RatableAnswers[] },
): readonly AgreementSplit[] => {
  const found = parts.map((part, index) => {
    const rated = new Map(
      [...kept.rated].map(([key, own]) => [key, own.filter((each) => isSo(each) === (index === 0))] as const),
    )
    const ratings = ratingsOfRuns(linkRatings({ ...kept, rated }, runs))
    return {
      part,
      ratings: ratings.map(({ rating, answer }) => ({ ...withRun(rating, answer), metrics: new Map() })),
    }
  })
  if (found.some(({ ratings }) => ratings.length === 0)) return []
  return found.flatMap(({ part, ratings }) =>
    [...groupBy(ratings, ({ benchmark }) => benchmark)].map(([benchmark, own]): AgreementSplit => {
      const { ratings, answers, clinicians, jury } = agreementOf(benchmark, own)
      return {
        benchmark,
        by,
        part,
        ratings,
        answers,
        clinicians: clinicians.icc,
        jury: jury?.icc ?? null,
        bias: jury?.bias ?? null,
      }
    }),
  )
}

/** A rater's own figures; what is said of all is the coordinator's. */
const ownPart = (report: RatingReport, rater: string): RatingReport => ({
  ...report,
  raters: report.raters.filter((each) => each.rater === rater),
  recognised: { [rater]: report.recognised[rater] ?? null },
  splits: [],
})

/** @throws ProblemError `ratings/still-rating`, `ratings/no-rater` */
export const requireOwnHandedIn = (rater: string, { logs, studies: [plan] }: KeptRatings): void => {
  if (plan !== undefined) ratersOf(plan, rater)
  if (logs.some((log) => log.rater === rater && hasHandedIn(log.events))) return
  throw new ProblemError({
    code: 'ratings/still-rating',
    message: `${rater} has not handed in`,
    where: { field: '--rater' },
    remedy:
      'A rater sees their own figures once they handed in; without --rater all are shown, for the coordinator.',
  })
}
