import { resolve } from 'node:path'
import type { Table } from '../../../benchmarks/sources/table.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { discreetId } from '../../../benchmarks/scenario/discreet-id.ts'
import { readAllRatings, type Rating } from '../../../targets/jury/study/ratings.ts'
import { CONSENSUS } from '../../../targets/ratings/study.ts'
import { textMeasures } from '../../../targets/metrics/catalog.ts'
import { readGivenFile } from '../../analysis/given-file.ts'
import type { JudgedTarget } from '../../jury/judged-runs.ts'
import {
  criteriaOf,
  findRated,
  lackedCriteria,
  runAnswers,
  type RatedTargets,
  type StoredAnswer,
} from '../../jury/rated-runs.ts'
import { exportedTable } from '../../ratings/exported-table.ts'
import { isOfAnswer, ratableRun, type RatableAnswer, type RatableAnswers } from '../../ratings/rated-runs.ts'
import type { Session } from '../../session/session.ts'
import type { Invocation } from '../verb.ts'
import type { CurrentRating } from '../../../targets/ratings/current-ratings.ts'

/** Ratings files as tables, in the order given. What a file was taken for is told where it could be another. */
export const readTables = async (
  names: readonly string[],
  { cwd, warn }: Pick<Invocation, 'cwd' | 'warn'>,
): Promise<readonly Table[]> => {
  const tables = []
  for (const name of names) {
    const table = exportedTable(await readGivenFile(resolve(cwd, name), 'ratings file', warn))
    const rows = table.rows.filter(({ cells }) => cells.get('rater') !== CONSENSUS)
    const left = table.rows.length - rows.length
    if (left > 0) warn(`${plural(left, 'row is', 'rows are')} a consensus, which is no rater’s; left out.`)
    tables.push({ ...table, rows })
  }
  return tables
}

interface RatedSuite extends RatedTargets {
  /** All judged answers, by run. */
  readonly answers: readonly (readonly StoredAnswer[])[]
  /** What is said of criteria that no rating has. */
  readonly lacked: string | undefined
}

/**
 * Finds the rated answers in a suite's runs, and tells what it does not find.
 * @throws ProblemError `jury/no-rated-answer`, `ratings/bad-score`
 */
export const rateSuite = async (
  tables: readonly Table[],
  runs: readonly JudgedTarget[],
  { suite, warn, session }: { readonly suite: string; readonly session: Session } & Pick<Invocation, 'warn'>,
): Promise<RatedSuite> => {
  const criteria = criteriaOf(runs)
  const ratings = readAllRatings(tables, { automatic: textMeasures(), criteria })
  const answers = runs.map(runAnswers)
  const named = findRated(ratings, answers)
  const found = await ofTheseAnswers(named.found, session)
  const rated = { ...named, found }
  for (const line of [...changedLines(named.found.length - found.length), ...lostLines(rated)]) warn(line)
  if (found.length === 0) throw noneRated(suite, ratings)
  refuseOffScale(found)
  return { ...rated, answers, lacked: lackedOf(found) }
}

export const lackedOf = (found: RatedTargets['found']): string | undefined =>
  lackedCriteria(found.map(({ rating, answer }) => ({ criteria: rating.criteria ?? [], run: answer.run })))

/** A 44 in a 4's place would be a score of ten. Shares of an instance's own points have no least one. */
export const refuseOffScale = (found: RatedTargets['found']): void => {
  for (const { rating, answer } of found) {
    const { scale, grading } = answer.run.jury
    const off = rating.scores.find((score) => score < scale.least || score > scale.most)
    if (off === undefined || grading !== undefined) continue
    throw new ProblemError({
      code: 'ratings/bad-score',
      message: `${rating.rater} on ${answerText(rating)}: ${off} is no score from ${scale.least} to ${scale.most}`,
      remedy: 'Mend it; `medmake rate import --scale` maps other scales.',
    })
  }
}

/** Without those of answers that changed since, as far as tables tell. */
const ofTheseAnswers = async (
  found: RatedTargets['found'],
  session: Session,
): Promise<RatedTargets['found']> => {
  const held = new Map<JudgedTarget, ReadonlyMap<string, RatableAnswer>>()
  for (const { rating, answer } of found)
    if (rating.answer !== undefined && !held.has(answer.run)) {
      const { answers } = await ratableRun(answer.run, session)
      held.set(answer.run, new Map(answers.map((each) => [each.instanceId, each])))
    }
  return found.filter(({ rating, answer }) =>
    isOfAnswer(rating, answer, held.get(answer.run)?.get(answer.instance)),
  )
}

const changedLines = (changed: number): readonly string[] =>
  changed === 0
    ? []
    : [
        `${plural(changed, 'rating is', 'ratings are')} of answers that the runs do not hold any more, by the digests or the jury's scores beside them; left out. A table without these columns is taken to be of the answers that there are.`,
      ]

const lostLines = ({ found, unknown, ambiguous }: RatedTargets): readonly string[] => {
  const [first] = unknown
  const [doubtful] = ambiguous
  const unjudged = found.filter(({ answer }) => answer.jury === null).length
  return [
    ...(first === undefined
      ? []
      : [
          `${plural(unknown.length, 'rating is', 'ratings are')} of answers that no run holds, first ${answerText(first)}; left out.`,
        ]),
    ...(doubtful === undefined
      ? []
      : [
          `${plural(ambiguous.length, 'rating')} could be of several runs, first ${answerText(doubtful)}; left out. ` +
            'Write the benchmark with its arguments, as the name of the run has it.',
        ]),
    ...(unjudged === 0
      ? []
      : [`${plural(unjudged, 'rating is', 'ratings are')} of answers that no judge scored.`]),
  ]
}

const answerText = ({ benchmark, instance, model }: Rating): string =>
  `${benchmark} ${discreetId(instance)} ${model}`

const noneRated = (suite: string, [first]: readonly Rating[]): ProblemError =>
  new ProblemError({
    code: 'jury/no-rated-answer',
    message: `no rating is of an answer that the runs of ${suite} hold`,
    remedy:
      'Write benchmark, instance_id and model as the runs name them' +
      `${first === undefined ? '' : `; the first rating is of ${answerText(first)}`}.`,
  })

/** What is said of ratings that are of no answer here, or of one that was rated by another rubric. */
export const orphansText = (
  orphans: readonly CurrentRating[],
  runs: readonly Pick<RatableAnswers, 'answers'>[],
): string => {
  const held = new Set(runs.flatMap(({ answers }) => answers.map(({ answer }) => answer)))
  const other = orphans.filter(({ subject }) => held.has(subject.answer ?? '')).length
  const from = [...new Set(orphans.map(({ study, rater }) => `${study}: ${rater}`))].join(', ')
  const why = [
    [orphans.length - other, 'of answers that these runs do not hold'],
    [other, 'by another rubric'],
  ].flatMap(([count, what]) => (count === 0 ? [] : `${count} ${what}`))
  const safety = orphans.filter(({ content }) => content.safety === true).length
  const feared = safety === 0 ? '' : ` ${plural(safety, 'raises', 'raise')} a safety concern.`
  return `${plural(orphans.length, 'rating is', 'ratings are')} kept, and left out here: ${why.join(', ')} (${from}).${feared}`
}

export const nothingRated = (): ProblemError =>
  new ProblemError({
    code: 'jury/no-rated-answer',
    message: 'nobody rated an answer of these runs yet',
    remedy:
      '`medmake rate plan` draws what to rate, `medmake rate serve` opens the desk; or name a table of ratings.',
  })
