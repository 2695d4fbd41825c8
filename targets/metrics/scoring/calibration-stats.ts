import { meanOf } from '../../statistics/mean.ts'
import {
  calibrationError,
  equalMassBins,
  equalWidthBins,
  type Confidence,
} from '../../statistics/confidence/calibration-error.ts'
import { plattScaling, scaled } from '../../statistics/confidence/platt-scaling.ts'
import { type MetricPoint, floatPoint } from '../metric.ts'

const BINS = 10

export interface CalibrationStats {
  readonly points: readonly MetricPoint[]
  /** False where no finite scaling exists: the four platt_* stats are then missing. */
  readonly hasScaling: boolean
}

/**
 * How far a model's confidence is to be trusted, over the answers of a split in their order (HELM.md T19): the
 * expected calibration error in ten bins of equal mass and in one (0–1, lower is better), the area under the
 * coverage–accuracy curve and the accuracy of the surest tenth (0–1, higher is better), and the errors after Platt
 * scaling with its two parameters. Answers that are as sure stand in their order; HELM leaves that to an unstable sort.
 * HELM's optimiser stops short of the likeliest scaling, so its platt_* differ from about the fourth digit on.
 */
export const calibrationStats = (answers: readonly Confidence[]): CalibrationStats => {
  if (answers.length === 0) return { points: [], hasScaling: true }
  const first = [...errors('', answers), ...selective(answers)]
  if (answers.every(({ correct }) => correct === answers[0]?.correct))
    return {
      points: [...first, floatPoint('platt_ece_10_bin', 0), floatPoint('platt_ece_1_bin', 0)],
      hasScaling: true,
    }
  const scaling = plattScaling(answers)
  if (scaling === undefined) return { points: first, hasScaling: false }
  const rescaled = answers.map(({ probability, correct }) => ({
    probability: scaled(scaling, probability),
    correct,
  }))
  return {
    points: [
      ...first,
      floatPoint('platt_coef', scaling.coefficient),
      floatPoint('platt_intercept', scaling.intercept),
      ...errors('platt_', rescaled),
    ],
    hasScaling: true,
  }
}

const errors = (prefix: string, answers: readonly Confidence[]): readonly MetricPoint[] => {
  const probabilities = answers.map(({ probability }) => probability)
  return [
    floatPoint(`${prefix}ece_10_bin`, calibrationError(answers, equalMassBins(probabilities, BINS))),
    floatPoint(`${prefix}ece_1_bin`, calibrationError(answers, equalWidthBins(1))),
  ]
}

/** Accuracy of the surest answers: averaged over all shares of them, and of the surest tenth. */
const selective = (answers: readonly Confidence[]): readonly MetricPoint[] => {
  const surestFirst = answers.toSorted((a, b) => b.probability - a.probability)
  let right = 0
  const accuracies = surestFirst.map(({ correct }, index) => (right += correct ? 1 : 0) / (index + 1))
  const area = meanOf(accuracies)
  return [
    floatPoint('selective_cov_acc_area', area),
    floatPoint('selective_acc@10', accuracies[Math.floor(0.1 * accuracies.length)] ?? NaN),
  ]
}
