import type { RequestState } from '../../record/request-state.ts'
import { type MetricFailure, type MetricPoint, floatPoint } from '../metric.ts'
import { summaryTexts } from '../summarization.ts'
import type { BertScorer } from './bert-score.ts'

/**
 * HELM's BERTScore-P, -R and -F of a summary, which it computes on a GPU only. A part that is no number (no token of
 * the answer has weight) is left out and told.
 */
export const scoreSummary = async (
  state: RequestState,
  score: BertScorer,
): Promise<{ readonly points: readonly MetricPoint[]; readonly failures: readonly MetricFailure[] }> => {
  const { summary, references } = summaryTexts(state)
  const { precision, recall, f1 } = await score(summary, references)
  const parts = [
    floatPoint('BERTScore-P', precision),
    floatPoint('BERTScore-R', recall),
    floatPoint('BERTScore-F', f1),
  ]
  const isNumber = ({ value }: MetricPoint): boolean => !Number.isNaN(value)
  return {
    points: parts.filter(isNumber),
    failures: parts
      .filter((part) => !isNumber(part))
      .map(({ name }) => ({
        part: name,
        cause: { code: 'bert-score/no-weight', detail: 'no token of the answer has weight' },
      })),
  }
}
