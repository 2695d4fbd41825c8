import type { MetricMetadata } from './metric-metadata.ts'

// Names, texts and directions as HELM's auto-generated schemas have them (HELM.md T25).

export const BEFORE_MATCHES: readonly MetricMetadata[] = [
  { name: 'num_references', displayName: '# ref', description: 'Number of references.' },
  {
    name: 'num_train_trials',
    displayName: '# trials',
    description:
      'Number of trials, where in each trial we choose an independent, random set of training instances.',
    group: 'general_information',
  },
  {
    name: 'num_prompt_tokens',
    displayName: '# prompt tokens',
    description: 'Number of tokens in the prompt.',
    group: 'general_information',
  },
  {
    name: 'num_completion_tokens',
    displayName: '# completion tokens',
    description: 'Actual number of completion tokens (over all completions).',
  },
  {
    name: 'num_output_tokens',
    displayName: '# output tokens',
    description: 'Actual number of output tokens.',
  },
  {
    name: 'training_co2_cost',
    displayName: 'Estimated training emissions (kg CO2)',
    shortDisplayName: 'Training emissions (kg CO2)',
    description: 'Estimate of the CO2 emissions from training the model.',
    lowerIsBetter: true,
    group: 'efficiency_detailed',
  },
  {
    name: 'training_energy_cost',
    displayName: 'Estimated training energy cost (MWh)',
    shortDisplayName: 'Training energy (MWh)',
    description: 'Estimate of the amount of energy used to train the model.',
    lowerIsBetter: true,
    group: 'efficiency_detailed',
  },
  {
    name: 'inference_runtime',
    displayName: 'Observed inference runtime (s)',
    shortDisplayName: 'Observed inference time (s)',
    description:
      'Average observed time to process a request to the model (via an API, and thus depends on particular deployment).',
    lowerIsBetter: true,
    group: 'efficiency_detailed',
  },
  {
    name: 'batch_size',
    displayName: 'Batch size',
    description: 'For batch jobs, how many requests are in a batch.',
  },
  {
    name: 'finish_reason_endoftext',
    displayName: 'finish b/c endoftext',
    description:
      'Fraction of instances where the the output was terminated because the end of text token was generated.',
  },
  {
    name: 'finish_reason_length',
    displayName: 'finish b/c length',
    description: 'Fraction of instances where the the output was terminated because of the max tokens limit.',
  },
  {
    name: 'finish_reason_stop',
    displayName: 'finish b/c stop',
    description: 'Fraction of instances where the the output was terminated because of the stop sequences.',
  },
  {
    name: 'finish_reason_unknown',
    displayName: 'finish b/c unknown',
    description: 'Fraction of instances where the the output was terminated for unknown reasons.',
  },
  {
    name: 'num_train_instances',
    displayName: '# train',
    description: 'Number of training instances (e.g., in-context examples).',
  },
  {
    name: 'prompt_truncated',
    displayName: 'truncated',
    description:
      'Fraction of instances where the prompt itself was truncated (implies that there were no in-context examples).',
  },
]

export const MATCHES: readonly MetricMetadata[] = [
  {
    name: 'exact_match',
    displayName: 'Exact match',
    shortDisplayName: 'EM',
    description: 'Fraction of instances that the predicted output matches a correct reference exactly.',
    lowerIsBetter: false,
    group: 'accuracy',
  },
  {
    name: 'quasi_exact_match',
    displayName: 'Quasi-exact match',
    shortDisplayName: 'EM',
    description:
      'Fraction of instances that the predicted output matches a correct reference up to light processing.',
    lowerIsBetter: false,
  },
  {
    name: 'prefix_exact_match',
    displayName: 'Prefix exact match',
    shortDisplayName: 'PEM',
    description:
      'Fraction of instances that the predicted output matches the prefix of a correct reference exactly.',
    lowerIsBetter: false,
  },
  {
    name: 'quasi_prefix_exact_match',
    displayName: 'Prefix quasi-exact match',
    shortDisplayName: 'PEM',
    description:
      'Fraction of instances that the predicted output matches the prefix of a correct reference up to light processing.',
    lowerIsBetter: false,
  },
]

export const AFTER_MATCHES: readonly MetricMetadata[] = [
  {
    name: 'logprob',
    displayName: 'Log probability',
    shortDisplayName: 'Logprob',
    description: "Predicted output's average log probability (input's log prob for language modeling).",
    lowerIsBetter: false,
  },
  {
    name: 'num_perplexity_tokens',
    displayName: '# tokens',
    description: 'Average number of tokens in the predicted output (for language modeling, the input too).',
  },
  {
    name: 'num_bytes',
    displayName: '# bytes',
    description: 'Average number of bytes in the predicted output (for language modeling, the input too).',
  },
  {
    name: 'perplexity',
    displayName: 'Perplexity',
    shortDisplayName: 'PPL',
    description: 'Perplexity of the output completion (effective branching factor per output token).',
    lowerIsBetter: true,
  },
  {
    name: 'logprob_per_byte',
    displayName: 'Log probability / byte',
    shortDisplayName: 'Logprob/byte',
    description: "Predicted output's average log probability normalized by the number of bytes.",
    lowerIsBetter: false,
  },
  {
    name: 'bits_per_byte',
    displayName: 'Bits/byte',
    shortDisplayName: 'BPB',
    description: 'Average number of bits per byte according to model probabilities.',
    lowerIsBetter: true,
  },
]

export const REFERENCE: readonly MetricMetadata[] = [
  {
    name: 'max_prob',
    displayName: 'Max prob',
    description: "Model's average confidence in its prediction (only computed for classification tasks)",
    lowerIsBetter: false,
    group: 'calibration_detailed',
  },
]

export const INSTANCES: readonly MetricMetadata[] = [
  { name: 'num_instances', displayName: '# eval', description: 'Number of evaluation instances.' },
]

export const SUMMARIZATION: readonly MetricMetadata[] = [
  {
    name: 'summarization_coverage',
    displayName: 'Coverage',
    description:
      'Extent to which the model-generated summaries are extractive fragments from the source document [(Grusky et al., 2018)](https://aclanthology.org/N18-1065/).',
    group: 'summarization_metrics',
  },
  {
    name: 'summarization_density',
    displayName: 'Density',
    description:
      'Extent to which the model-generated summaries are extractive summaries based on the source document [(Grusky et al., 2018)](https://aclanthology.org/N18-1065/).',
    group: 'summarization_metrics',
  },
  {
    name: 'summarization_compression',
    displayName: 'Compression',
    description:
      'Extent to which the model-generated summaries are compressed relative to the source document [(Grusky et al., 2018)](https://aclanthology.org/N18-1065/).',
    group: 'summarization_metrics',
  },
  {
    name: 'rouge_1',
    displayName: 'ROUGE-1',
    shortDisplayName: 'ROUGE-1',
    description: 'ROUGE-1',
    lowerIsBetter: false,
    group: 'summarization_metrics',
  },
]

/** Stats of HELM's summarization metric that its metadata lacks or has under other names: HELM's schemas lose them. */
export const LOST_BY_HELM: readonly MetricMetadata[] = [
  ...['BERTScore-P', 'BERTScore-R', 'BERTScore-F'].map((name) => ({
    name,
    displayName: name,
    description: name,
    lowerIsBetter: false,
    group: 'summarization_metrics',
  })),
  {
    name: 'rouge_2',
    displayName: 'ROUGE-2',
    shortDisplayName: 'ROUGE-2',
    description: 'ROUGE-2',
    lowerIsBetter: false,
    group: 'summarization_metrics',
  },
  {
    name: 'rouge_l',
    displayName: 'ROUGE-L',
    shortDisplayName: 'ROUGE-L',
    description: 'ROUGE-L',
    lowerIsBetter: false,
    group: 'summarization_metrics',
  },
]

export const EHR_SQL: readonly MetricMetadata[] = [
  {
    name: 'ehr_sql_execution_accuracy',
    displayName: 'Execution accuracy for Generated Query',
    shortDisplayName: 'EHRSQLExeAcc',
    description:
      'Measures the proportion of correctly predicted answerable questions among all questions predicted to be answerable.',
    lowerIsBetter: false,
  },
  {
    name: 'ehr_sql_query_validity',
    displayName: 'Validity of Generated Query',
    shortDisplayName: 'EHRSQLQueryValid',
    description:
      'Measures the proportion of correctly predicted answerable questions among all answerable questions in the dataset.',
    lowerIsBetter: false,
  },
  {
    name: 'ehr_sql_precision_answerable',
    displayName: 'Precision for Answerable Questions',
    shortDisplayName: 'EHRSQLPreAns',
    description:
      'Measures the proportion of correctly predicted answerable questions among all questions predicted to be answerable.',
    lowerIsBetter: false,
  },
  {
    name: 'ehr_sql_recall_answerable',
    displayName: 'Recall for Answerable Questions',
    shortDisplayName: 'EHRSQLReAns',
    description:
      'Measures the proportion of correctly predicted answerable questions among all answerable questions in the dataset.',
    lowerIsBetter: false,
  },
  {
    name: 'ehr_sql_total_predicted_answerable',
    displayName: 'Total Predicted Answerable',
    shortDisplayName: 'Total Pred Ans',
    description: 'Total number of questions predicted to be answerable by the model.',
    lowerIsBetter: false,
  },
  {
    name: 'ehr_sql_total_ground_truth_answerable',
    displayName: 'Total Ground Truth Answerable',
    shortDisplayName: 'Total GT Ans',
    description: 'Total number of answerable questions in the ground truth.',
    lowerIsBetter: false,
  },
]

export const MEDEC: readonly MetricMetadata[] = [
  {
    name: 'medec_error_flag_accuracy',
    displayName: 'Medical Error Flag Accuracy',
    shortDisplayName: 'MedecFlagAcc',
    description:
      'Measures how accurately the model identifies whether a clinical note contains an error (binary classification of correct/incorrect).',
    lowerIsBetter: false,
  },
  {
    name: 'medec_error_sentence_accuracy',
    displayName: 'Medical Error Sentence Accuracy',
    shortDisplayName: 'MedecSentenceAcc',
    description:
      'Measures how accurately the model identifies the specific erroneous sentence within a clinical note.',
    lowerIsBetter: false,
  },
]

export const MEDCALC: readonly MetricMetadata[] = [
  {
    name: 'medcalc_bench_accuracy',
    displayName: 'MedCalc Accuracy',
    shortDisplayName: 'MedCalc Accuracy',
    description:
      'Comparison based on category. Exact match for categories risk, severity and diagnosis. Check if within range for the other categories.',
    lowerIsBetter: false,
  },
]

export const BILLING_CODES: readonly MetricMetadata[] = [
  {
    name: 'mimiciv_billing_code_precision',
    displayName: 'Precision for MIMIC Billing Codes',
    shortDisplayName: 'MIMICBillingPre',
    description:
      'Measures the proportion of correctly predicted ICD codes among all ICD codes predicted by the model.',
    lowerIsBetter: false,
  },
  {
    name: 'mimiciv_billing_code_recall',
    displayName: 'Recall for MIMIC Billing Codes',
    shortDisplayName: 'MIMICBillingRec',
    description:
      'Measures the proportion of correctly predicted ICD codes among all ICD codes present in the gold standard.',
    lowerIsBetter: false,
  },
  {
    name: 'mimiciv_billing_code_f1',
    displayName: 'F1 Score for MIMIC Billing Codes',
    shortDisplayName: 'MIMICBillingF1',
    description:
      "Measures the harmonic mean of precision and recall for ICD codes, providing a balanced evaluation of the model's performance.",
    lowerIsBetter: false,
  },
]

/** Of medhelm 0.8.0; the texts are our own. */
export const SCT: readonly MetricMetadata[] = [
  {
    name: 'sct_score',
    displayName: 'SCT Score',
    shortDisplayName: 'SCT Score',
    description:
      'Share of the experts who gave the same rating over that of the rating that most of them gave.',
    lowerIsBetter: false,
  },
  {
    name: 'sct_expert_set_membership',
    displayName: 'SCT Expert Set Membership',
    shortDisplayName: 'SCT Membership',
    description: 'Share of the ratings that at least one expert gave.',
    lowerIsBetter: false,
  },
]

export const jury = (name: string): MetricMetadata => ({
  name,
  displayName: 'Jury Score',
  shortDisplayName: 'Jury Score',
  description: 'Measures the average score assigned by an LLM-based jury evaluating task performance.',
  lowerIsBetter: false,
})
