import {
  onceEach,
  ratingsByAnswer,
  type Multiplicities,
  type RatedAnswers,
  type RatingsByAnswer,
} from './rated-answers.ts'

/**
 * Krippendorff's α for interval data, as if each answer stood there as often as it counts; a rater counts once, or not
 * at all. Null where no answer has two ratings, or all are alike.
 */
export const weightedAlpha = (
  ratings: RatingsByAnswer,
  { answers, raters }: Multiplicities,
): number | null => {
  let [count, total] = [0, 0]
  const units: {
    readonly weight: number
    readonly n: number
    readonly mean: number
    readonly squares: number
  }[] = []
  for (const [answer, given] of ratings.entries()) {
    const weight = answers[answer] ?? 0
    let [n, sum, squares] = [0, 0, 0]
    if (weight === 0) continue
    for (const { rater, score } of given) {
      if ((raters[rater] ?? 0) === 0) continue
      n += 1
      sum += score
    }
    if (n < 2) continue
    const mean = sum / n
    for (const { rater, score } of given) if ((raters[rater] ?? 0) > 0) squares += (score - mean) ** 2
    units.push({ weight, n, mean, squares })
    count += weight * n
    total += weight * sum
  }
  const grand = total / count
  let [observed, expected] = [0, 0]
  for (const { weight, n, mean, squares } of units) {
    // Squared distances between all ordered pairs of a unit are 2n times those from its mean.
    observed += (weight * 2 * n * squares) / (n - 1)
    expected += weight * (squares + n * (mean - grand) ** 2)
  }
  return count === 0 || expected < 1e-18 * count
    ? null
    : 1 - ((count - 1) * observed) / (2 * count * expected)
}

/** The same where each answer and rater counts once. @param scores rows are raters, columns answers; null: not rated */
export const krippendorffAlpha = (scores: RatedAnswers['scores']): number | null => {
  const once = { scores, jury: (scores[0] ?? []).map(() => null) }
  return weightedAlpha(ratingsByAnswer(once), onceEach(once))
}
