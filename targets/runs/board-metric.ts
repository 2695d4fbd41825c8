import type { ObjectSpec, ScoreScale } from '../../benchmarks/scenario/benchmark.ts'
import { isJurys } from '../metrics/llm-jury.ts'
import { measureNamed } from '../metrics/catalog.ts'
import type { Scale } from '../statistics/scale.ts'
import type { Measure } from '../../benchmarks/scenario/metric-code.ts'
import type { Digest } from '../../cache/values/digest.ts'
import type { RunRecord } from '../record/record.ts'
import type { Target } from '../record/target.ts'

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
  /** True when an answer's value is 0 or 1 by definition, whatever the values at hand are. */
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
const juryRange = (jury: ScoreScale | undefined): Scale | undefined =>
  jury && { low: jury.least, high: jury.most }

const declaredRange = (measure: Measure | undefined): Scale | undefined =>
  measure === undefined || measure.least === null || measure.most === null
    ? undefined
    : { low: measure.least, high: measure.most }

/** `pubmed_qa:model=a_b,x=1` → `pubmed_qa:x=1` */
export const scenarioOf = (run: string): string => {
  const colon = run.indexOf(':')
  const separator = colon === -1 ? run.indexOf(',') : colon
  if (separator === -1) return run
  const kept = run
    .slice(separator + 1)
    .split(',')
    .filter((part) => !part.startsWith('model=') && !part.startsWith('model_deployment='))
  const name = run.slice(0, separator)
  return kept.length === 0 ? name : `${name}:${kept.join(',')}`
}

/** A target of a suite with the record that it led to. */
export interface Built {
  readonly suite: string
  readonly target: Target
  readonly record: RunRecord
  readonly digest: Digest<'record'>
}
