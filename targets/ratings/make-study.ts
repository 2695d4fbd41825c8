import { assignUnits } from './assign/assign.ts'
import { drawUnits, type DrawnAnswers } from './draw/draw.ts'
import { labelsForHalfWidth } from '../statistics/calibration/labels-needed.ts'
import type { RatedUnits } from './rated-units.ts'
import { residualsOf, usualResidualVariance } from './residuals.ts'
import type { Study, PracticeUnit } from './study.ts'
import type { FrameAnswer } from './unit.ts'
import { CONFIDENCE } from '../statistics/scale.ts'

/** What of a study its coordinator asks for. */
export interface StudyWish {
  readonly id: string
  readonly seed: string
  readonly suites: readonly string[]
  readonly raters: readonly string[]
  readonly overlap: number
  /** Answers to rate of each run, or the half-width of each mean's interval: in points, or a share of the scale. */
  readonly size: { readonly labels: number } | { readonly halfWidth: number } | { readonly share: number }
  /** Answers that each rater sees first and that count nowhere; of a study that is extended they stay. */
  readonly practice: number
  readonly allocation: 'proportional' | 'neyman'
}

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
  const { left, ...drawn } = drawUnits(wanted, { id, seed }, before)
  const practice = before === undefined ? practiceUnits(left, wish.practice) : before.practice
  return {
    version: 1,
    id,
    seed,
    suites: [...new Set([...(before?.suites ?? []), ...wish.suites])],
    overlap,
    ...drawn,
    ...(practice === undefined || practice.length === 0 ? {} : { practice: [...practice] }),
    raters: assignUnits(drawn.units, raters, { id, seed, overlap }, before?.raters),
  }
}

const labelsOf = (
  { answers, range }: Pick<DrawnAnswers, 'answers' | 'range'>,
  { size }: StudyWish,
  variance = usualResidualVariance(range),
): number => {
  const total = answers.filter(({ jury, unrated }) => jury !== null && unrated === undefined).length
  if ('labels' in size) return Math.min(total, size.labels)
  const halfWidth = 'share' in size ? size.share * range : size.halfWidth
  return labelsForHalfWidth({ total, halfWidth, variance }, CONFIDENCE)
}

/**
 * Answers to practise on: such as nobody is asked to rate, of as many strata as there are, those that a larger plan would
 * draw last.
 *
 * @param left what no draw took, by stratum, in the order of the draw
 */
export const practiceUnits = (
  left: readonly (readonly FrameAnswer[])[],
  count: number,
): readonly PracticeUnit[] => {
  const found = new Map<string, PracticeUnit>()
  const deepest = Math.max(0, ...left.map(({ length }) => length))
  for (let back = 1; back <= deepest && found.size < count; back += 1)
    for (const answers of left) {
      const last = answers.at(-back)
      if (last === undefined || found.size >= count || found.has(last.instance)) continue
      const { benchmark, instance, answer, rubric } = last
      found.set(instance, { benchmark, instance, answer, rubric })
    }
  return [...found.values()]
}
