import { basicGeneration } from './basic-generation.ts'
import { BERT_SCORES } from './bert-score/measures.ts'
import type { Measure } from '../../benchmarks/scenario/measure.ts'
import { amounts, flags, shares } from './measure.ts'

// The metrics themselves are loaded when a run first asks for them; what they declare is asked for by every board.

export const SUMMARIZATION_MEASURES: readonly Measure[] = [
  ...shares(['rouge_1', 'rouge_2', 'rouge_l'], { better: 'higher' }),
  ...shares(['summarization_coverage']),
  ...amounts('tokens', ['summarization_density']),
  ...amounts('ratio', ['summarization_compression']),
  ...BERT_SCORES,
]

export const MEDCALC_MEASURES: readonly Measure[] = flags(['medcalc_bench_accuracy'], { better: 'higher' })

export const MEDEC_MEASURES: readonly Measure[] = flags(
  ['medec_error_flag_accuracy', 'medec_error_sentence_accuracy'],
  { better: 'higher' },
)

export const EHR_SQL_MEASURES: readonly Measure[] = flags(
  [
    'ehr_sql_execution_accuracy',
    'ehr_sql_query_validity',
    'ehr_sql_precision_answerable',
    'ehr_sql_recall_answerable',
    'ehr_sql_total_predicted_answerable',
    'ehr_sql_total_ground_truth_answerable',
  ],
  { better: 'higher' },
)

export const SCT_MEASURES: readonly Measure[] = [
  ...shares(['sct_score'], { better: 'higher' }),
  ...flags(['sct_expert_set_membership'], { better: 'higher' }),
]

export const BILLING_CODE_MEASURES: readonly Measure[] = shares(
  ['mimiciv_billing_code_precision', 'mimiciv_billing_code_recall', 'mimiciv_billing_code_f1'],
  { better: 'higher' },
)

/** Ours, of every jury: the share of the judges that count. */
const JURY_COVERAGE: readonly Measure[] = shares(['jury_coverage'], { better: 'higher' })

/** What is declared of a stat by that name; undefined for a jury's, which has its rubric's scale, and for an unknown one. */
export const declaredMeasure = (name: string): Measure | undefined =>
  [
    basicGeneration.measures,
    SUMMARIZATION_MEASURES,
    MEDCALC_MEASURES,
    MEDEC_MEASURES,
    EHR_SQL_MEASURES,
    SCT_MEASURES,
    BILLING_CODE_MEASURES,
    JURY_COVERAGE,
  ]
    .flat()
    .find((measure) => measure.name === name)
