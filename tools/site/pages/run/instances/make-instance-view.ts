import { strip } from '../../../../../benchmarks/python/text.ts'
import { defined } from '../../../../../cache/values/defined.ts'
import { dumps } from '../../../../../benchmarks/python/dumps.ts'
import { isDict } from '../../../../../benchmarks/python/kinds.ts'
import type { PyValue } from '../../../../../benchmarks/python/value.ts'
import { isCorrect } from '../../../../../benchmarks/scenario/instance.ts'
import { requestText } from '../../../../../targets/adapters/prompt.ts'
import { mapAnswer } from '../../../../../targets/metrics/scoring/map-answer.ts'
import type { ReadState } from '../../../../../targets/runs/read-state.ts'
import type { InstanceView, ShownJudge } from './instance-view.ts'

type Dict = ReadonlyMap<string, PyValue>
type WholeView = InstanceView<string>

/**
 * What a page shows of a request, ours or one that HELM wrote.
 * @param metrics the request's values, by name
 * @param mappingPattern the adapter's `outputMappingPattern`
 */
export const makeInstanceView = (
  state: ReadState,
  metrics: readonly (readonly [name: string, value: number])[],
  mappingPattern?: string,
): WholeView => {
  const { instance, request, result } = state
  const completions = result?.success === true ? result.completions : []
  const first = completions[0]
  const { outputMapping } = state
  const mapped =
    first === undefined || outputMapping === undefined
      ? undefined
      : mapAnswer(strip(first.text), outputMapping, mappingPattern)
  const error = result?.success === true ? undefined : (result?.error ?? 'The request failed.')
  return defined({
    id: String(instance.id ?? ''),
    trial: state.trainTrialIndex,
    split: instance.split ?? '',
    prompt: requestText(request),
    references: instance.references.map((reference) => ({
      text: reference.text,
      correct: isCorrect(reference),
    })),
    completions: completions.map(({ text }) => text),
    thinking: first?.thinking,
    mapped,
    error,
    ...annotationsOf(state.annotations ?? new Map()),
    metrics,
  })
}

const annotationsOf = (annotations: Dict): Pick<WholeView, 'judges' | 'judgePrompt' | 'annotations'> => {
  const judges: ShownJudge<string>[] = []
  const others: { name: string; json: string }[] = []
  let judgePrompt: string | undefined
  for (const [annotator, value] of annotations) {
    if (!isDict(value)) {
      others.push({ name: annotator, json: dumps(value) })
      continue
    }
    for (const [key, item] of value) {
      const scores = scoresOf(item)
      if (scores !== undefined) judges.push({ name: key, scores })
      else if (key === 'prompt_text') judgePrompt = typeof item === 'string' ? item : undefined
      else others.push({ name: `${annotator}.${key}`, json: dumps(item) })
    }
  }
  return { judges, ...(judgePrompt === undefined ? {} : { judgePrompt }), annotations: others }
}

/** A judge's reply: criterion → {score, explanation}. */
const scoresOf = (value: PyValue): ShownJudge<string>['scores'] | undefined => {
  if (!isDict(value) || value.size === 0) return undefined
  const scores: { criterion: string; score: string; explanation: string }[] = []
  for (const [criterion, given] of value) {
    const score = isDict(given) ? given.get('score') : undefined
    if (!isDict(given) || score === undefined) return undefined
    const explanation = given.get('explanation')
    scores.push({
      criterion,
      score: dumps(score),
      explanation: typeof explanation === 'string' ? explanation : '',
    })
  }
  return scores
}
