import { toldMeasures } from '../../benchmarks/metric-code/metric-spec.ts'
import type { ObjectSpec, ScoreScale } from '../../benchmarks/scenario/benchmark.ts'
import { declaredMeasure } from '../metrics/declared-measures.ts'
import type { Scale } from '../statistics/scale.ts'
import type { Measure } from '../../benchmarks/scenario/measure.ts'
import { metricMetadata } from '../tables/schema/metric-metadata.ts'

/** A benchmark's main metric. */
export interface BoardMetric {
  readonly name: string
  readonly split: string
  readonly displayName: string
  readonly description: string
  /** Absent where nobody says what is better: such a column is neither ranked nor part of win rates. */
  readonly lowerIsBetter?: boolean
  /** True when values are shares of 1 by definition, so that means over benchmarks make sense. */
  readonly isShare: boolean
  /** Ends of its declared scale; absent where an end is open or nobody says. */
  readonly range?: Scale
  /** True when an instance's value is 0 or 1 by definition, whatever the values at hand are. */
  readonly isBinary: boolean
}

/**
 * @param specs the run's metric objects: their classes tell names and directions
 * @param jury the scale of the benchmark's jury
 */
export const boardMetric = (
  { name, split }: { readonly name: string; readonly split: string },
  specs: readonly ObjectSpec[],
  jury?: ScoreScale,
): BoardMetric => {
  const known = specs
    .flatMap((spec) => metricMetadata(spec, { helmExact: false }))
    .find((metric) => metric.name === name)
  const byJury = isJurys(name, specs)
  const told = specs.flatMap(toldMeasures).find((each) => each.name === name)
  const measure = byJury ? undefined : (told ?? declaredMeasure(name))
  const isBinary = measure?.unit === '0 or 1'
  const better = byJury ? 'higher' : measure?.better
  const lowerIsBetter =
    known?.lowerIsBetter ?? (better === undefined || better === 'neither' ? undefined : better === 'lower')
  const range = byJury ? juryRange(jury) : declaredRange(measure)
  return {
    name,
    split,
    displayName: known?.displayName ?? name,
    description: known?.description ?? '',
    ...(lowerIsBetter === undefined ? {} : { lowerIsBetter }),
    isShare: isBinary || measure?.unit === 'share',
    ...(range === undefined ? {} : { range }),
    isBinary,
  }
}

const juryRange = (jury: ScoreScale | undefined): Scale | undefined =>
  jury && { low: jury.least, high: jury.most }

const declaredRange = (measure: Measure | undefined): Scale | undefined =>
  measure === undefined || measure.least === null || measure.most === null
    ? undefined
    : { low: measure.least, high: measure.most }

/** Whether a stat is a jury's score: HELM's is told by its class, as its name is the benchmark's choice. */
export const isJurys = (name: string, specs: readonly ObjectSpec[]): boolean =>
  name === 'jury_score_strict' ||
  specs.some(
    ({ className, args }) => className.endsWith('.LLMJuryMetric') && args.get('metric_name') === name,
  )
