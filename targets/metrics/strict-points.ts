import type { ItemGrading } from '../../benchmarks/scenario/benchmark.ts'
import type { Measure } from '../../benchmarks/scenario/measure.ts'
import { number, share } from './measure.ts'
import type { MetricPoint } from './metric.ts'
import { floatPoint } from './scoring/points.ts'
import type { JudgementReading } from '../jury/read-judgement.ts'
import { meanOf } from '../statistics/mean.ts'

export const STRICT_SCORE = 'jury_score_strict'
export const JURY_COVERAGE = 'jury_coverage'

/** Ours, of every jury. */
export const OWN_MEASURES: readonly Measure[] = [
  number('points of the rubric', STRICT_SCORE, {
    better: 'higher',
    displayName: 'Jury score, judged answers',
    description: 'Mean of all scores of the judges that could be read; an answer without one has no value.',
  }),
  share(JURY_COVERAGE, {
    better: 'higher',
    displayName: 'Judgements read',
    description: 'Share of the judges whose judgement of an answer could be read.',
  }),
]

export const OWN_METRICS: ReadonlySet<string> = new Set(OWN_MEASURES.map(({ name }) => name))

/**
 * Our own stats of one answer beside the profile's jury score, which stands in a default where judges fail.
 * `jury_score_strict`: the mean over all scores of the judges that count; no value where none does, so a failed judge
 * never is a score. Equals the profile's score where every judge counts. `jury_coverage`: the share of the judges that
 * count, 0 to 1; no value where there was nothing to judge. HealthBench's own score is strict itself.
 */
export const strictPoints = (
  judges: readonly JudgementReading[],
  grading?: ItemGrading,
): readonly MetricPoint[] => {
  const counted = judges.flatMap((judge) => (judge.kind === 'scores' ? [judge.scores] : []))
  const scores = counted.flat()
  return [
    ...(scores.length === 0 || grading?.style === 'health-bench'
      ? []
      : [floatPoint(STRICT_SCORE, meanOf(scores))]),
    ...(judges.length === 0 ? [] : [floatPoint(JURY_COVERAGE, counted.length / judges.length)]),
  ]
}
