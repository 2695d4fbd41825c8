import type { RatedAnswers } from '../statistics/agreement/rated-answers.ts'
import { meanOf, meanOrNull } from '../statistics/mean.ts'
import { answerKey, type Rating } from './study/ratings.ts'

/** Ratings as a table: `raters` and `answers` (keys) name its rows and columns, both sorted. */
export interface NamedRatings {
  readonly raters: readonly string[]
  readonly answers: readonly string[]
  readonly rated: RatedAnswers
}

/**
 * A rating's composite score is the mean over its criteria, the jury's likewise.
 * Answers of several models to one question are of one source.
 * @param metric stands in the jury's place
 */
export const namedRatings = (ratings: readonly Rating[], metric?: string): NamedRatings => {
  const raters = [...new Set(ratings.map(({ rater }) => rater))].toSorted()
  const answers = [...new Set(ratings.map(answerKey))].toSorted()
  const column = new Map(answers.map((answer, index) => [answer, index]))
  const scores = raters.map(() => answers.map((): number | null => null))
  const jury = answers.map((): number | null => null)
  const juries = answers.map(() => new Map<string | number, number>())
  const sources = answers.map(() => '')
  for (const rating of ratings) {
    const at = column.get(answerKey(rating)) ?? -1
    const row = scores[raters.indexOf(rating.rater)]
    if (row !== undefined) row[at] = meanOf(rating.scores)
    sources[at] = JSON.stringify(
      rating.source === undefined ? [rating.benchmark, rating.instance] : [rating.source],
    )
    // Like with like: the answer's is of all criteria that one of its raters could judge, whoever comes last.
    const own = juries[at] ?? new Map<string | number, number>()
    const { juryBy, criteria = [] } = rating
    if (juryBy === undefined)
      for (const [index, score] of rating.jury.entries()) own.set(criteria[index] ?? index, score)
    else for (const name of criteria) if (juryBy.has(name)) own.set(name, juryBy.get(name) ?? NaN)
    const isPart = juryBy === undefined || (own.size > 0 && own.size < juryBy.size)
    const ofJury = meanOrNull(isPart ? [...own.values()] : rating.jury)
    jury[at] = metric === undefined ? ofJury : (rating.metrics.get(metric) ?? null)
  }
  return { raters, answers, rated: { scores, jury, sources } }
}
