import { assignUnits } from './assign.ts'
import { drawUnits, type DrawnAnswers } from './draw.ts'
import { labelsForHalfWidth } from '../statistics/calibration/labels-needed.ts'
import { USUAL_RESIDUAL_VARIANCE } from './residuals.ts'
import type { RatedUnits } from './rated-units.ts'
import { residualsOf } from './residuals.ts'
import type { Study } from './study.ts'

/** What of a study its coordinator asks for. */
export interface StudyWish {
  readonly id: string
  readonly seed: string
  readonly suites: readonly string[]
  readonly raters: readonly string[]
  readonly overlap: number
  /** Answers to rate of each run, or the half-width of each mean's interval, in points. */
  readonly size: { readonly labels: number } | { readonly halfWidth: number }
  readonly allocation: 'proportional' | 'neyman'
}

const CONFIDENCE = 0.95

/**
 * Draws a study, or extends one: what it holds stays.
 * @param rated what was rated so far
 * @throws ProblemError `ratings/raters-apart`
 */
export const makeStudy = (
  runs: readonly Omit<DrawnAnswers, 'labels' | 'residuals'>[],
  wish: StudyWish,
  { before, rated }: { readonly before?: Study; readonly rated: RatedUnits },
): Study => {
  const { id, seed, overlap, raters, allocation } = wish
  const cuts = new Map(before?.cuts.map((each) => [each.benchmark, each.cuts]))
  const wanted = runs.map((run): DrawnAnswers => {
    const residuals = residualsOf(run.answers, rated, cuts.get(run.benchmark) ?? [])
    return {
      ...run,
      labels: labelsOf(run, wish, residuals?.variance),
      ...(allocation === 'neyman' && residuals !== undefined ? { residuals: residuals.byThird } : {}),
    }
  })
  const drawn = drawUnits(wanted, { id, seed }, before)
  return {
    version: 1,
    id,
    seed,
    suites: [...new Set([...(before?.suites ?? []), ...wish.suites])],
    overlap,
    ...drawn,
    raters: assignUnits(drawn.units, raters, { id, seed, overlap }, before?.raters),
  }
}

const labelsOf = (
  { answers }: Pick<DrawnAnswers, 'answers'>,
  { size }: StudyWish,
  variance = USUAL_RESIDUAL_VARIANCE,
): number => {
  const total = answers.filter(({ jury, unrated }) => jury !== null && unrated === undefined).length
  return 'labels' in size
    ? Math.min(total, size.labels)
    : labelsForHalfWidth({ total, halfWidth: size.halfWidth, variance }, CONFIDENCE)
}
