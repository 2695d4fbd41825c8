import { labelOf, type RatedUnits } from './rated-units.ts'
import { thirdOf, type Cut } from './draw/strata.ts'
import type { FrameAnswer } from './unit.ts'
import { meanOf, squaresOf } from '../statistics/mean.ts'

/**
 * Squared points that a jury leaves unexplained of clinicians' scores, where nothing better is known yet: 0.3 on a scale
 * from 1 to 5. @param range from the least score to the greatest
 */
export const usualResidualVariance = (range: number): number => 0.3 * (range / 4) ** 2

/** Labels from which what the jury leaves unexplained is taken as known. */
const ENOUGH = 10

/** What a jury leaves unexplained of the labels that a run has. */
interface Residuals {
  /** Squared points. */
  readonly variance: number
  /** Standard deviation by third of the jury's score; that of all where a third has too few. */
  readonly byThird: readonly number[]
}

/** Undefined with fewer than ten labels. */
export const residualsOf = (
  answers: readonly FrameAnswer[],
  rated: RatedUnits,
  cuts: readonly Cut[],
): Residuals | undefined => {
  const labelled = answers.flatMap((answer) => {
    const label = labelOf(answer, rated)
    return label === null || answer.jury === null
      ? []
      : [{ label, jury: answer.jury, third: thirdOf(answer, cuts) }]
  })
  if (labelled.length < ENOUGH) return undefined
  const [label, jury] = [
    meanOf(labelled.map((each) => each.label)),
    meanOf(labelled.map((each) => each.jury)),
  ]
  const spread = squaresOf(labelled.map((each) => each.jury))
  const together = labelled.reduce((sum, each) => sum + (each.jury - jury) * (each.label - label), 0)
  const slope = spread > 0 ? together / spread : 0
  const rest = labelled.map((each) => ({
    third: each.third,
    rest: each.label - label - slope * (each.jury - jury),
  }))
  const variance = varianceOf(rest.map((each) => each.rest))
  return {
    variance,
    byThird: [0, 1, 2].map((third) => {
      const own = rest.filter((each) => each.third === third).map((each) => each.rest)
      return Math.sqrt(own.length < 3 ? variance : varianceOf(own))
    }),
  }
}

const varianceOf = (values: readonly number[]): number => squaresOf(values) / (values.length - 1)
