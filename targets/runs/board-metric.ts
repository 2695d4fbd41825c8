import type { ObjectSpec, ScoreScale } from '../../benchmarks/scenario/benchmark.ts'
import { isJurys } from '../metrics/llm-jury.ts'
import { measureNamed } from '../metrics/measures-of.ts'
import type { Scale } from '../statistics/scale.ts'
import type { Measure } from '../../benchmarks/scenario/measure.ts'

/** A benchmark's main metric. */
export interface BoardMetric {
  readonly name: string
  readonly split: string
  readonly displayName: string
  readonly description: string
  /** Absent where nobody says what is better: such a column is neither ranked nor part of win rates. */
  readonly lowerIsBetter?: boolean
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
  const measure = measureNamed(name, specs)
  const { better = 'neither' } = measure ?? {}
  const range = isJurys(name, specs) ? juryRange(jury) : declaredRange(measure)
  return {
    name,
    split,
    displayName: measure?.displayName ?? name,
    description: measure?.description ?? '',
    ...(better === 'neither' ? {} : { lowerIsBetter: better === 'lower' }),
    ...(range === undefined ? {} : { range }),
    isBinary: measure?.unit === '0 or 1',
  }
}

/** What a jury's scale is to statistics. */
export const juryRange = (jury: ScoreScale | undefined): Scale | undefined =>
  jury && { low: jury.least, high: jury.most }

const declaredRange = (measure: Measure | undefined): Scale | undefined =>
  measure === undefined || measure.least === null || measure.most === null
    ? undefined
    : { low: measure.least, high: measure.most }
