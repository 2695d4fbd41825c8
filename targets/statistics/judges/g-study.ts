import { meanOf, reaches, withoutRounding } from '../mean.ts'

/** Variances in squared points. `repeat` is null where each judge was asked once: it hides in `answerJudge`. */
interface VarianceComponents {
  readonly answer: number
  readonly judge: number
  readonly answerJudge: number
  readonly repeat: number | null
}

/** How reliable the mean over so many judges and repeats would be, 0 to 1. Null where answers do not differ at all. */
interface Reliability {
  readonly judges: number
  readonly repeats: number
  /** For ranking answers: a judge's leniency does no harm. */
  readonly relative: number | null
  /** For the scores themselves. */
  readonly absolute: number | null
}

export interface GStudy {
  /** As estimated: a component can come out below 0. */
  readonly raw: VarianceComponents
  /** Those below 0 as 0. */
  readonly components: VarianceComponents
  /** One, two, three, five and nine judges with one to three repeats. */
  readonly dStudy: readonly Reliability[]
  /** Fewest judges, asked once, with a relative reliability of the target; null beyond 100. */
  readonly judgesNeeded: number | null
}

const MOST_JUDGES = 100

/**
 * What scores owe to answers, to judges, to their tastes and to chance: answers × judges with repeats within, variance
 * components by expected mean squares (Brennan 2001).
 *
 * @param scores answers × judges × repeats, every cell with as many repeats
 * @throws RangeError for fewer than two answers or judges, and for a table that is not whole
 */
export const gStudy = (scores: readonly (readonly (readonly number[])[])[], target: number): GStudy => {
  const [p, j, r] = [scores.length, scores[0]?.length ?? 0, scores[0]?.[0]?.length ?? 0]
  if (p < 2 || j < 2 || r < 1)
    throw new RangeError('a study needs two answers, two judges and a score of each')
  if (scores.some((row) => row.length !== j || row.some((cell) => cell.length !== r)))
    throw new RangeError('every judge scores every answer as often')
  const raw = componentsOf(scores, { p, j, r })
  const cut = (value: number): number => Math.max(0, value)
  const components: VarianceComponents = {
    answer: cut(raw.answer),
    judge: cut(raw.judge),
    answerJudge: cut(raw.answerJudge),
    repeat: raw.repeat === null ? null : cut(raw.repeat),
  }
  return {
    raw,
    components,
    dStudy: [1, 2, 3, 5, 9].flatMap((judges) =>
      [1, 2, 3].map((repeats) => reliability(components, judges, repeats)),
    ),
    judgesNeeded:
      Array.from({ length: MOST_JUDGES }, (_, index) => index + 1).find((judges) =>
        reaches(reliability(components, judges, 1).relative ?? -1, target),
      ) ?? null,
  }
}

const componentsOf = (
  scores: readonly (readonly (readonly number[])[])[],
  { p, j, r }: { readonly p: number; readonly j: number; readonly r: number },
): VarianceComponents => {
  const cells = scores.map((row) => row.map(meanOf))
  const answers = cells.map(meanOf)
  const judges = Array.from({ length: j }, (_, judge) => meanOf(cells.map((row) => row[judge] ?? NaN)))
  const grand = meanOf(answers)
  let [within, crossed] = [0, 0]
  for (const [answer, row] of scores.entries())
    for (const [judge, cell] of row.entries()) {
      const mean = cells[answer]?.[judge] ?? NaN
      for (const score of cell) within += (score - mean) ** 2
      crossed += (mean - (answers[answer] ?? NaN) - (judges[judge] ?? NaN) + grand) ** 2
    }
  const spread = withoutRounding(scores.flat(2))
  const about = (means: readonly number[]): number =>
    spread(means.reduce((sum, mean) => sum + (mean - grand) ** 2, 0))
  const answerSquare = (j * r * about(answers)) / (p - 1)
  const judgeSquare = (p * r * about(judges)) / (j - 1)
  const crossSquare = (r * spread(crossed)) / ((p - 1) * (j - 1))
  const repeat = r === 1 ? null : spread(within) / (p * j * (r - 1))
  return {
    answer: (answerSquare - crossSquare) / (j * r),
    judge: (judgeSquare - crossSquare) / (p * r),
    answerJudge: repeat === null ? crossSquare : (crossSquare - repeat) / r,
    repeat,
  }
}

const reliability = (
  { answer, judge, answerJudge, repeat }: VarianceComponents,
  judges: number,
  repeats: number,
): Reliability => {
  const error = answerJudge / judges + (repeat ?? 0) / (judges * repeats)
  const share = (noise: number): number | null => (answer + noise === 0 ? null : answer / (answer + noise))
  return { judges, repeats, relative: share(error), absolute: share(error + judge / judges) }
}
