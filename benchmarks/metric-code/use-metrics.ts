import { suggestion } from '../../cache/did-you-mean.ts'
import { ProblemError, type Place } from '../../cache/problem.ts'
import type { BenchmarkContext } from '../context/context.ts'
import { METRIC_SETS, metricSpecs, type MetricContext, type MetricSet } from './metric-sets.ts'
import type { PyValue } from '../python/value.ts'
import type { MetricSpec } from '../scenario/benchmark.ts'
import { metricFile, metricIds } from './find-metric.ts'
import { loadMetricCode } from './metric-module.ts'
import { metricCodeSpec } from './metric-spec.ts'

/** A metric as a declaration names it: a set of built-in ones, or one of the workspace. */
export interface UsedMetric {
  readonly name: string
  readonly args: ReadonlyMap<string, PyValue>
  readonly where: Place
}

/**
 * The metric objects behind the names of a declaration, in its order.
 * @throws ProblemError `benchmarks/unknown-metric`, `benchmarks/metric-arguments`, those of `loadMetricCode`
 */
export const useMetrics = async (
  used: readonly UsedMetric[],
  sets: MetricContext,
  context: Pick<BenchmarkContext, 'workspace' | 'fileDigests'>,
): Promise<readonly MetricSpec[]> => {
  const specs: MetricSpec[] = []
  for (const metric of used) specs.push(...(await specsOf(metric, sets, context)))
  return specs
}

const specsOf = async (
  metric: UsedMetric,
  sets: MetricContext,
  context: Pick<BenchmarkContext, 'workspace' | 'fileDigests'>,
): Promise<readonly MetricSpec[]> => {
  const { name, args } = metric
  if (isSet(name)) {
    if (args.size > 0) throw noArguments(metric)
    return metricSpecs([name], sets)
  }
  const file = metricFile(context.workspace, name)
  if (file === undefined) throw unknownMetric(metric, context.workspace)
  return [metricCodeSpec(await loadMetricCode(name, file, context), args)]
}

const isSet = (name: string): name is MetricSet => (METRIC_SETS as readonly string[]).includes(name)

const unknownMetric = ({ name, where }: UsedMetric, workspace: string): ProblemError => {
  const known = [...METRIC_SETS, ...metricIds(workspace)]
  return new ProblemError({
    code: 'benchmarks/unknown-metric',
    message: `there is no metric ${JSON.stringify(name)}`,
    where,
    remedy: `${suggestion(name, known)}Known are ${known.join(', ')}; one of your own is targets/metrics/${name}.ts.`,
  })
}

const noArguments = ({ name, where }: UsedMetric): ProblemError =>
  new ProblemError({
    code: 'benchmarks/metric-arguments',
    message: `${name} takes no arguments`,
    where,
    remedy: 'Only metrics of the workspace do: remove `args`.',
  })
