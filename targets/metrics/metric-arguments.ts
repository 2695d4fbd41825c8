import { Float } from '../../benchmarks/python/numbers/float.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { MetricSpec } from '../../benchmarks/scenario/benchmark.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { Score } from './scoring/points.ts'
import type { MetricArguments } from './metric.ts'
import type { MetricContext } from '../../benchmarks/scenario/metric-catalog.ts'

const badArgument = ({ helm }: MetricSpec, field: string, wanted: string): ProblemError =>
  new ProblemError({
    code: 'targets/bad-metric-argument',
    message: `${helm.className} needs the argument ${JSON.stringify(field)}: ${wanted}`,
    where: { field },
    remedy: `Give ${field} in the metric's arguments.`,
  })

const isText = (value: PyValue): value is string => typeof value === 'string'

/** A text among a metric's arguments. @throws ProblemError `targets/bad-metric-argument` */
export const textArgument = (spec: MetricSpec, field: string): string => {
  const value = spec.helm.args.get(field)
  if (typeof value !== 'string') throw badArgument(spec, field, 'a text')
  return value
}

/** A list of texts. @throws ProblemError `targets/bad-metric-argument` */
export const textsArgument = (spec: MetricSpec, field: string): readonly string[] => {
  const value = spec.helm.args.get(field)
  if (!Array.isArray(value) || !value.every(isText)) throw badArgument(spec, field, 'a list of texts')
  return value
}

/** An object. @throws ProblemError `targets/bad-metric-argument` */
export const dictArgument = (spec: MetricSpec, field: string): ReadonlyMap<string, PyValue> => {
  const value = spec.helm.args.get(field)
  if (!(value instanceof Map)) throw badArgument(spec, field, 'an object')
  return value
}

/** A number that may be left out. @throws ProblemError `targets/bad-metric-argument` */
export const numberArgument = (spec: MetricSpec, field: string, fallback: Score): Score => {
  const value = spec.helm.args.get(field)
  if (value === undefined) return fallback
  if (value instanceof Float) return { value: value.value, float: true }
  if (typeof value !== 'number') throw badArgument(spec, field, 'a number')
  return { value, float: !Number.isInteger(value) }
}

/** The stat's name, which is the benchmark's choice; undefined where the arguments name none. */
export const statName = (args: MetricArguments): string | undefined => {
  const name = args.get('metric_name')
  return typeof name === 'string' ? name : undefined
}

/** What a metric of a jury is told of it. */
export const juryArguments = (
  { jury, annotatorModels }: MetricContext,
  metric: string,
): Readonly<Record<string, PyValue>> => {
  if (!jury) throw new TypeError(`the metric ${metric} needs a jury`)
  return { metric_name: jury.metric, scenario_name: jury.annotator, annotator_models: annotatorModels }
}
