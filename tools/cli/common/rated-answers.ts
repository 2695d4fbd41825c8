import { resolve } from 'node:path'
import type { Table } from '../../../benchmarks/sources/table.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { withheld } from '../../../cache/problems/withheld.ts'
import { COUNTED } from '../../../targets/access/discreet-texts.ts'
import { readAllRatings, type Rating } from '../../../targets/jury/study/ratings.ts'
import { textMeasures } from '../../../targets/metrics/catalog.ts'
import { readGivenFile } from '../../analysis/given-file.ts'
import type { JudgedTarget } from '../../jury/judged-runs.ts'
import {
  criteriaOf,
  findRated,
  runAnswers,
  type RatedTargets,
  type StoredAnswer,
} from '../../jury/rated-runs.ts'
import type { Invocation } from '../verb.ts'
import type { CurrentRating } from '../../../targets/ratings/current-ratings.ts'

/** Ratings files as tables, in the order given. What a file was taken for is told where it could be another. */
export const readTables = async (
  names: readonly string[],
  { cwd, warn }: Pick<Invocation, 'cwd' | 'warn'>,
): Promise<readonly Table[]> => {
  const tables = []
  for (const name of names) tables.push(await readGivenFile(resolve(cwd, name), 'ratings file', warn))
  return tables
}

/** Ratings and the answers of the runs that they are of. */
interface RatedSuite extends RatedTargets {
  /** All judged answers, by run. */
  readonly answers: readonly (readonly StoredAnswer[])[]
}

/**
 * Finds the rated answers in a suite's runs, and tells what it does not find.
 * @throws ProblemError `jury/no-rated-answer`
 */
export const rateSuite = (
  tables: readonly Table[],
  runs: readonly JudgedTarget[],
  { suite, warn }: { readonly suite: string } & Pick<Invocation, 'warn'>,
): RatedSuite => {
  const criteria = criteriaOf(runs)
  const ratings = readAllRatings(tables, { automatic: textMeasures(), criteria })
  const answers = runs.map(runAnswers)
  const rated = findRated(ratings, answers)
  for (const line of lostLines(rated)) warn(line)
  if (rated.found.length === 0) throw noneRated(suite, ratings)
  return { ...rated, answers }
}

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
  `${benchmark} ${COUNTED.test(instance) ? instance : withheld(instance)} ${model}`

const noneRated = (suite: string, [first]: readonly Rating[]): ProblemError =>
  new ProblemError({
    code: 'jury/no-rated-answer',
    message: `no rating is of an answer that the runs of ${suite} hold`,
    remedy:
      'Write benchmark, instance_id and model as the runs name them' +
      `${first === undefined ? '' : `; the first rating is of ${answerText(first)}`}.`,
  })

/** What is said of ratings that are of no answer here. */
export const orphansText = (orphans: readonly CurrentRating[]): string =>
  `${plural(orphans.length, 'rating is', 'ratings are')} of answers that these runs do not hold (${[
    ...new Set(orphans.map(({ study, rater }) => `${study}: ${rater}`)),
  ].join(', ')}); kept, and left out here.`
