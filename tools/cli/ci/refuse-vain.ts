import { ProblemError } from '../../../cache/problems/problem.ts'
import { metricsNamed } from '../../../targets/compare/fail-if.ts'
import { isGiven } from '../../../targets/metrics/catalog.ts'
import { boardMetric } from '../../../targets/runs/board-metric.ts'
import type { KeyedTarget } from '../../../targets/scheduler/changed-targets.ts'
import { rangeOf } from '../../../targets/statistics/scale.ts'
import { noSuchMetric } from '../compare/action.ts'
import type { Job } from './base.ts'

/**
 * A clause of a metric that nothing gives never holds, and decides in the gate's place; a margin as wide as its scale, as of per
 * cent, bears any loss. Before anything is paid for.
 * @throws ProblemError `compare/unknown-metric`, `ci/wide-margin`
 */
export const refuseVain = ({ clauses, workspace, invocation }: Job, head: readonly KeyedTarget[]): void => {
  const specs = head.map(({ target }) => target.spec)
  const helms = specs.flatMap(({ metrics }) => metrics.map(({ helm }) => helm))
  const unknown = metricsNamed(clauses).find((metric) => !isGiven(metric, helms))
  if (unknown !== undefined)
    throw noSuchMetric(
      unknown,
      specs.map(({ benchmark }) => benchmark.mainMetric.name),
    )
  const { margins } = workspace.config
  const byName = new Map(specs.map((spec) => [spec.benchmark.name, spec]))
  for (const [name, { benchmark, metrics }] of byName) {
    const margin = margins[name] ?? benchmark.margin
    if (margin === undefined) continue
    const { range, lowerIsBetter } = boardMetric(
      benchmark.mainMetric,
      metrics.map(({ helm }) => helm),
      benchmark.jury?.scale,
    )
    if (range === undefined || lowerIsBetter === undefined)
      invocation.warn(
        `${name}: nothing is held to its margin, as ${range === undefined ? 'its scale has no ends' : 'nobody says what is better'}.`,
      )
    else if (margin >= rangeOf(range))
      throw new ProblemError({
        code: 'ci/wide-margin',
        message: `${name}: a margin of ${margin} bears any loss on a scale from ${range.low} to ${range.high}`,
        where:
          name in margins
            ? { field: `margins.${name}` }
            : { file: benchmark.files[0] ?? name, field: 'margin' },
        remedy: 'Write it in units of the main metric: 0.01 of a share, not 1.',
      })
  }
}
