import type { ObjectSpec, ScoreScale } from '../../benchmarks/scenario/benchmark.ts'
import type { Interval } from '../statistics/interval.ts'
import { metricMetadata } from './metric-metadata.ts'

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
  /** Ends of its scale where it has one other than a share's: a jury's. */
  readonly range?: Interval
  /** True when an instance's value is 0 or 1 by definition, whatever the values at hand are. */
  readonly isBinary: boolean
}

const BINARY: ReadonlySet<string> = new Set([
  'exact_match',
  'quasi_exact_match',
  'prefix_exact_match',
  'quasi_prefix_exact_match',
  'medcalc_bench_accuracy',
  'medec_error_flag_accuracy',
  'medec_error_sentence_accuracy',
  'ehr_sql_execution_accuracy',
  'ehr_sql_query_validity',
])

/** Metrics that lie between 0 and 1 by definition. A jury's score lies on its rubric's scale. */
const SHARES: ReadonlySet<string> = new Set([
  ...BINARY,
  'f1_score',
  'rouge_1',
  'rouge_2',
  'rouge_l',
  'bleu_1',
  'bleu_4',
  'mimiciv_billing_code_precision',
  'mimiciv_billing_code_recall',
  'mimiciv_billing_code_f1',
  'jury_coverage',
])

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
  const isShare = SHARES.has(name)
  const byJury = isJurys(name, specs)
  // Every share listed above tells of agreement with an answer or of replies that count: more is better.
  const lowerIsBetter = known?.lowerIsBetter ?? (isShare || byJury ? false : undefined)
  return {
    name,
    split,
    displayName: known?.displayName ?? name,
    description: known?.description ?? '',
    ...(lowerIsBetter === undefined ? {} : { lowerIsBetter }),
    isShare,
    ...(jury !== undefined && byJury ? { range: { low: jury.least, high: jury.most } } : {}),
    isBinary: BINARY.has(name),
  }
}

/** Whether a stat is a jury's score: HELM's is told by its class, as its name is the benchmark's choice. */
export const isJurys = (name: string, specs: readonly ObjectSpec[]): boolean =>
  name === 'jury_score_strict' ||
  specs.some(
    ({ className, args }) => className.endsWith('.LLMJuryMetric') && args.get('metric_name') === name,
  )
