import { toldMeasures } from '../../benchmarks/user-code/metric-spec.ts'
import type { ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'
import type { Measure } from '../../benchmarks/scenario/measure.ts'
import { BUILT_IN, metricOfClass } from './catalog.ts'
import { NOT_COMPUTED } from './scoring/reference-scores.ts'
import { LEADS, type BuiltInMetric, type Lead } from './metric.ts'

/** All that a metric object gives; of a workspace's metric what its run_spec.json tells, of an unknown class nothing. */
export const measuresOf = (spec: ObjectSpec): readonly Measure[] => {
  const metric = metricOfClass(spec.className)
  return metric === undefined ? toldMeasures(spec) : (metric.given?.(spec.args) ?? metric.measures)
}

/** What HELM's generated schemas describe of it. */
export const helmMeasures = (spec: ObjectSpec): readonly Measure[] =>
  metricOfClass(spec.className)?.described ?? measuresOf(spec).filter(({ unlisted }) => unlisted !== true)

/** What is said of a stat: by the run's metric objects, else by any of ours that has one of that name. */
export const measureNamed = (name: string, specs: readonly ObjectSpec[]): Measure | undefined =>
  named(name, specs.flatMap(measuresOf)) ?? named(name, BUILT_IN.flatMap(allOf))

/** Measures of whole texts, as HELM names them, also those that only others compute. */
export const textMeasures = (): readonly string[] => [
  ...BUILT_IN.flatMap(allOf).flatMap(({ name, ofTexts }) => (ofTexts === true ? [name] : [])),
  ...NOT_COMPUTED,
]

const allOf = ({ measures, own = [] }: BuiltInMetric): readonly Measure[] => [...measures, ...own]

/** `name@5` is the best of five answers: the same measure. */
const named = (name: string, measures: readonly Measure[]): Measure | undefined =>
  measures.find((measure) => measure.name === name) ??
  measures.find((measure) => measure.name === name.replace(/@\d+$/, ''))

/** The measure that leads a run where no declaration says which does. */
export const leadOf = (specs: readonly ObjectSpec[]): string | undefined =>
  leadsOf(specs).toSorted((a, b) => LEADS.indexOf(a.as) - LEADS.indexOf(b.as))[0]?.name

/** What each metric object would lead with, in their order. */
export const leadsOf = (
  specs: readonly ObjectSpec[],
): readonly { readonly as: Lead['as']; readonly name: string }[] =>
  specs.flatMap(({ className, args }) => {
    const lead = metricOfClass(className)?.lead
    const name = lead?.name(args)
    return !lead || name === undefined ? [] : [{ as: lead.as, name }]
  })
