import { ClientError } from '../client.ts'
import { readRubric, type Rubric } from './rubric.ts'
import { contentWords, overlap } from './words.ts'

/**
 * Answers a jury's rubric prompt with scores from word overlap, as the JSON that the prompt asks for.
 * Accuracy and its kin: how much of the response stands in the reference or the source. Completeness and its kin:
 * how much of the reference stands in the response. Any other criterion: the harmonic mean of both against the
 * reference. It knows no medicine, and its explanations say so.
 *
 * @throws ClientError `baseline/no-rubric` for a prompt that shows no JSON object of scored criteria
 */
export const overlapJudge = (prompt: string): string => {
  const rubric = readRubric(prompt)
  if (!rubric) {
    throw new ClientError(
      'baseline/no-rubric',
      'overlap-judge answers rubric prompts only: it found no JSON example',
      {
        retriable: false,
      },
    )
  }
  const judgement: Record<string, Record<string, number | string>> = {}
  for (const [criterion, fields] of rubric.criteria) {
    const { share, explanation } = judge(criterion, rubric)
    const score = rubric.scale.lowest + Math.round(share * (rubric.scale.highest - rubric.scale.lowest))
    judgement[criterion] = Object.fromEntries(
      [...fields].map(([key, isNumber]) => [key, isNumber || key === 'score' ? score : explanation]),
    )
  }
  return JSON.stringify(judgement, null, 2)
}

interface Share {
  /** 0 to 1. */
  readonly share: number
  readonly explanation: string
}

const RECALL = /^(?:completeness|coverage|recall)/i
const PRECISION = /^(?:accuracy|faithfulness|correctness|safety|precision)/i
const RULE = 'Word-overlap rule, not a clinical judgement:'

const judge = (criterion: string, rubric: Rubric): Share => {
  const gold = contentWords(rubric.gold).length > 0 ? rubric.gold : rubric.question
  const against = gold === rubric.gold ? 'reference' : 'question'
  if (PRECISION.test(criterion)) {
    const found = overlap(rubric.response, `${rubric.gold}\n${rubric.question}`)
    return explain(found, 'the response', gold === rubric.gold ? 'reference or the question' : 'question')
  }
  const recall = overlap(gold, rubric.response)
  if (RECALL.test(criterion)) return explain(recall, `the ${against}`, 'response')
  const words = overlap(rubric.response, gold)
  const share = recall.total + words.total === 0 ? 0 : (2 * recall.shared) / (recall.total + words.total)
  return {
    share,
    explanation: `${RULE} response and ${against} share ${recall.shared} content words of ${words.total} and ${recall.total} (F ${share.toFixed(2)}).`,
  }
}

const explain = (
  found: { readonly shared: number; readonly total: number },
  of: string,
  within: string,
): Share => {
  const share = found.total === 0 ? 0 : found.shared / found.total
  return {
    share,
    explanation: `${RULE} ${found.shared} of ${found.total} content words of ${of} occur in the ${within} (${share.toFixed(2)}).`,
  }
}
