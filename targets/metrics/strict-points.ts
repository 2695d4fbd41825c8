import type { MetricPoint } from './metric.ts'
import { floatPoint } from './scoring/points.ts'
import type { JudgementReading } from '../jury/read-judgement.ts'

/** Names of the points. */
export const OWN_METRICS: ReadonlySet<string> = new Set(['jury_score_strict', 'jury_coverage'])

/**
 * Our own stats of one answer beside the profile's jury score, which stands in a default where judges fail.
 * `jury_score_strict`: the mean over all scores of the judges that count; no value where none does, so a failed judge
 * never is a score. Equals the profile's score where every judge counts. `jury_coverage`: the share of the judges that
 * count, 0 to 1; no value where there was nothing to judge.
 */
export const strictPoints = (judges: readonly JudgementReading[]): readonly MetricPoint[] => {
  const counted = judges.flatMap((judge) => (judge.kind === 'scores' ? [judge.scores] : []))
  const scores = counted.flat()
  return [
    ...(scores.length === 0
      ? []
      : [floatPoint('jury_score_strict', scores.reduce((sum, score) => sum + score, 0) / scores.length)]),
    ...(judges.length === 0 ? [] : [floatPoint('jury_coverage', counted.length / judges.length)]),
  ]
}
