import { strip } from '../../benchmarks/python/text.ts'
import { InstanceProblem } from './instance-problem.ts'
import { tokenizeEnglish } from './text/english-tokenizer.ts'
import { dataStats } from './text/extractive-fragments.ts'
import { firstCompletion } from './scoring/first-completion.ts'
import type { RequestState } from '../record/request-state.ts'
import { SUMMARIZATION_MEASURES } from './declared-measures.ts'
import type { Metric } from './metric.ts'
import { floatPoint } from './scoring/points.ts'
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

/**
 * HELM's SummarizationMetric on a machine without a GPU (HELM.md T18). ROUGE-1, -2 and -L: F-measure 0–1, higher
 * is better, the best over all references, correct or not. Coverage (0–1), density and compression (from 0) describe
 * the answer and have no better direction. BERTScore, which HELM adds on a GPU,
 * is computed where the workspace has an encoder (`scoreSummary`); SummaC is not.
 * @throws ProblemError without a reference or a completion
 */
export const summarization: Metric = {
  id: 'summarization',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 SummarizationMetric',
  measures: SUMMARIZATION_MEASURES,
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
