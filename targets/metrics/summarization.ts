import { strip } from '../../benchmarks/python/text.ts'
import type { Measure } from '../../benchmarks/scenario/metric-code.ts'
import {
  InstanceProblem,
  firstCompletion,
  amount,
  share,
  metricObject,
  type BuiltInMetric,
  floatPoint,
} from './metric.ts'
import { tokenizeEnglish } from './text/english-tokenizer.ts'
import { dataStats } from './text/extractive-fragments.ts'
import type { RequestState } from '../record/request-state.ts'
import { basicObjects } from './basic-generation.ts'
import { rouge, type RougeScores } from './text/rouge.ts'

/** One `{` at the start and one `}` at the end go. */
const withoutBraces = (text: string): string => text.replace(/^\{/, '').replace(/\}$/, '')

const best = (scores: readonly RougeScores[], name: 'rouge1' | 'rouge2' | 'rougeL'): number =>
  Math.max(...scores.map((score) => score[name].f1))

const noReference = (id: string | number): InstanceProblem =>
  new InstanceProblem({
    code: 'targets/no-reference',
    message: `instance ${JSON.stringify(id)} has no reference to compare a summary with`,
    remedy: 'Give every instance a reference, or leave the summarization metrics out.',
  })

/** The answer and all references, correct or not, as the metric compares them. @throws InstanceProblem without one */
export const summaryTexts = (
  state: RequestState,
): { readonly summary: string; readonly references: readonly string[] } => {
  const { id, references } = state.instance
  if (references.length === 0) throw noReference(id)
  return {
    summary: withoutBraces(strip(firstCompletion(state).text)),
    references: references.map(({ text }) => withoutBraces(text)),
  }
}

const GROUP = 'summarization_metrics'

/** How the answer is made from its source; [Grusky et al. 2018](https://aclanthology.org/N18-1065/) define all three. */
const STYLE = [
  share('summarization_coverage', {
    displayName: 'Coverage',
    description: "Share of the summary's tokens that stand in fragments taken over from the source.",
    group: GROUP,
  }),
  amount('tokens', 'summarization_density', {
    displayName: 'Density',
    description:
      'Mean length of the fragment taken over from the source that a token of the summary stands in.',
    group: GROUP,
  }),
  amount('ratio', 'summarization_compression', {
    displayName: 'Compression',
    description: 'Tokens of the source for each token of the summary.',
    group: GROUP,
  }),
]

const rougeMeasure = (name: string, part: string, of: string): Measure =>
  share(name, {
    better: 'higher',
    displayName: part,
    description: `F-measure of the ${of} that summary and reference share, stemmed; the best over the references.`,
    group: GROUP,
    ofTexts: true,
    // HELM's schemas know the others by names that the metric does not give.
    ...(name === 'rouge_1' ? {} : { unlisted: true }),
  })

const bertScore = (part: string, of: string): Measure => ({
  name: `BERTScore-${part}`,
  unit: 'cosine',
  least: -1,
  most: 1,
  better: 'higher',
  of: 'instance',
  displayName: `BERTScore ${of}`,
  shortDisplayName: `BERTScore-${part}`,
  description: `Mean cosine of the nearest token vectors of summary and reference: ${of}, the best over the references.`,
  group: GROUP,
  unlisted: true,
  needs: 'encoder',
  ofTexts: true,
})

const SCORES: readonly Measure[] = [
  rougeMeasure('rouge_1', 'ROUGE-1', 'words'),
  rougeMeasure('rouge_2', 'ROUGE-2', 'pairs of words'),
  rougeMeasure('rouge_l', 'ROUGE-L', 'longest common sequence of words'),
  bertScore('P', 'precision'),
  bertScore('R', 'recall'),
  bertScore('F', 'F1'),
]

const NO_ENCODER =
  'BERTScore-P, BERTScore-R, BERTScore-F: no encoder is configured. Name an ONNX export of distilbert-base-uncased under bert_score in medmake.yaml, and `npm install onnxruntime-node@1.30.0`. HELM computes these on a GPU only.'

const NO_SUMMAC =
  'summac: not built in, and nothing to install makes it. HELM computes it on a GPU only, with the package summac.'

/**
 * HELM's SummarizationMetric on a machine without a GPU (HELM.md T18). ROUGE-1, -2 and -L: F-measure 0–1, higher
 * is better, the best over all references, correct or not. Coverage (0–1), density and compression (from 0) describe
 * the answer and have no better direction. BERTScore, which HELM adds on a GPU,
 * is computed where the workspace has an encoder (`scoreSummary`); SummaC is not.
 * @throws ProblemError without a reference or a completion
 */
export const summarization: BuiltInMetric = {
  id: 'summarization',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 SummarizationMetric',
  className: 'summarization_metrics.SummarizationMetric',
  sets: [
    {
      name: 'summarization',
      simple: SCORES.map(({ name }) => name),
      specs: ({ task }) => [
        metricObject(summarization, {
          task,
          // HELM writes `cuda` where it finds a GPU and then computes SummaC and BERTScore too.
          device: 'cpu',
          bertscore_model: 'distilbert-base-uncased',
          rescale_with_baseline: false,
        }),
        ...basicObjects([]),
      ],
    },
  ],
  measures: [...STYLE, ...SCORES],
  omits: ({ bertScore }) => [...(bertScore === undefined ? [NO_ENCODER] : []), NO_SUMMAC],
  lead: { as: 'a text beside others', name: () => 'rouge_1' },
  reads: ['instance', 'completions'],
  evaluate: (state) => {
    const { instance } = state
    const { summary, references } = summaryTexts(state)
    const scores = references.map((reference) => rouge(reference, summary))
    const stats = dataStats(tokenizeEnglish(summary), tokenizeEnglish(withoutBraces(instance.input.text)))
    return [
      floatPoint('rouge_1', best(scores, 'rouge1')),
      floatPoint('rouge_2', best(scores, 'rouge2')),
      floatPoint('rouge_l', best(scores, 'rougeL')),
      floatPoint('summarization_coverage', stats.coverage),
      floatPoint('summarization_density', stats.density),
      floatPoint('summarization_compression', stats.compression),
    ]
  },
}
