import { discreetId } from '../../benchmarks/scenario/discreet-id.ts'
import { meanOf } from '../statistics/mean.ts'
import { digestOf } from '../../cache/values/digest.ts'
import { neymanAllocation } from '../statistics/calibration/neyman.ts'
import type { CalibratedModel, JudgedModel } from './study/calibrate.ts'

/** Answers of a model that clinicians should rate next. */
export interface NextLabels {
  readonly benchmark: string
  readonly model: string
  /** Labels that the model would then have. */
  readonly labels: number
  readonly instances: readonly string[]
}

interface LabelCell {
  readonly benchmark: string
  readonly judged: JudgedModel
  readonly calibrated: CalibratedModel
}

/**
 * Where further labels gain most: among models by Neyman's rule, in proportion to what the jury leaves unexplained;
 * within a model at random, so that its labels stay a random draw. The draw rests on names alone: the same answers are
 * named again until they are rated.
 */
export const nextLabels = (cells: readonly LabelCell[], more: number): readonly NextLabels[] => {
  const known = cells.flatMap(({ calibrated }) => calibrated.unexplained ?? [])
  // A model without labels is taken to be as hard as the others.
  const usual = known.length === 0 ? 1 : meanOf(known)
  const taken = cells.map(({ calibrated }) => calibrated.labels)
  const free = cells.reduce((sum, { calibrated }) => sum + calibrated.unlabelled, 0)
  const total = taken.reduce((sum, labels) => sum + labels, 0) + Math.min(more, free)
  const wanted = neymanAllocation(
    cells.map(({ judged, calibrated }) => ({
      size: judged.answers.length,
      sd: calibrated.unexplained ?? usual,
    })),
    total,
    { least: 2, taken },
  )
  return cells.flatMap(({ benchmark, judged }, index): readonly NextLabels[] => {
    const labels = wanted?.[index] ?? 0
    const count = labels - (taken[index] ?? 0)
    if (count <= 0) return []
    const open = judged.answers
      .filter(({ label }) => label === null)
      .map(({ instance }) => ({ instance, order: digestOf(JSON.stringify([judged.run, instance])) }))
      .toSorted((a, b) => (a.order < b.order ? -1 : 1))
    return [
      {
        benchmark,
        model: judged.model,
        labels,
        instances: open
          .slice(0, count)
          .map(({ instance }) => (judged.isClosed === true ? discreetId(instance) : instance)),
      },
    ]
  })
}
