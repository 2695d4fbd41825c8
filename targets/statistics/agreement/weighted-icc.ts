import type { Multiplicities, RatingsByAnswer } from './rated-answers.ts'

/** Intraclass correlations of one raw score; each null where the ratings do not determine it. */
interface RawIcc {
  /** ICC(1,1): raters are drawn anew for each answer. */
  readonly icc1: number | null
  /** ICC(2,1): raters are a sample, whose levels differ. */
  readonly icc2: number | null
}

/**
 * ICC(1,1) and ICC(2,1), not cut off at 0, where not every rater rates every answer: variances of answers, raters and the
 * rest by Henderson's first method, which for a full table gives Shrout and Fleiss's. Answers repeat as rows do, a rater
 * counts once or not at all.
 */
export const weightedIcc = (ratings: RatingsByAnswer, { answers, raters }: Multiplicities): RawIcc => {
  const counted = ratings.map((given, answer) => ({
    weight: answers[answer] ?? 0,
    own: given.filter(({ rater }) => (raters[rater] ?? 0) > 0),
  }))
  let [count, total, rows, squaredRows, all, ofRows] = [0, 0, 0, 0, 0, 0]
  for (const { weight, own } of counted) {
    if (own.length > 0) rows += weight
    count += weight * own.length
    squaredRows += weight * own.length ** 2
    for (const { score } of own) total += weight * score
  }
  const byRater = raters.map(() => ({ n: 0, sum: 0 }))
  for (const { weight, own } of counted) {
    let sum = 0
    for (const { rater, score } of own) {
      const apart = score - total / count
      all += weight * apart ** 2
      sum += apart
      const of = byRater[rater]
      if (of === undefined) continue
      of.n += weight
      of.sum += weight * apart
    }
    ofRows += (weight * sum ** 2) / (own.length || 1)
  }
  const columns = byRater.filter(({ n }) => n > 0)
  const ofColumns = columns.reduce((sum, of) => sum + of.sum ** 2 / of.n, 0)
  // How often each variance is in the squares about the grand mean.
  const freeRows = count - squaredRows / count
  const freeColumns = count - columns.reduce((sum, { n }) => sum + n ** 2, 0) / count
  // Raters and rest, answers and rest, rest alone.
  const within = (all - ofRows) / (count - rows)
  const across = (all - ofColumns) / (count - columns.length)
  const both = count - 1 - freeRows - freeColumns
  const rest = Math.abs(both) < 1e-9 ? NaN : (all - across * freeRows - within * freeColumns) / both
  const between = (ofRows - (rows - 1) * within) / freeRows
  return { icc1: share(between, between + within), icc2: share(across - rest, across + within - rest) }
}

/** Scores that are alike leave of their variance what rounding does. */
const share = (part: number, whole: number): number | null =>
  Number.isFinite(part) && whole > 1e-12 ? part / whole : null
