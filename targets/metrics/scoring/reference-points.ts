import type { AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import { isCorrect } from '../../../benchmarks/scenario/instance.ts'
import { strip } from '../../../benchmarks/python/text.ts'
import type { RequestState } from '../../record/request-state.ts'
import { InstanceProblem, firstCompletion } from '../instance-problem.ts'
import { mapAnswer } from './map-answer.ts'
import { share } from '../measure.ts'
import type { MetricPoint } from '../metric.ts'
import { floatPoint, point, type Score } from './points.ts'
import { referenceScore } from './reference-scores.ts'

const noCorrectReference = (id: string | number): InstanceProblem =>
  new InstanceProblem({
    code: 'targets/no-correct-reference',
    message: `instance ${JSON.stringify(id)} has references, but none is marked as correct`,
    remedy: 'Mark the right answer in the data, or give the instance no reference at all.',
  })

export const CONFIDENCE = share('max_prob', {
  better: 'higher',
  displayName: 'Confidence',
  description:
    'Probability that the model gave to its likeliest answer; mean over instances with references.',
  group: 'calibration_detailed',
  unlisted: true,
})

/** The first of the largest, as Python's max: an int 0 before a float 0 stays an int. */
const largest = (scores: readonly Score[]): Score =>
  scores.reduce((best, score) => (score.value > best.value ? score : best))

/**
 * Scores of a request state against its correct references (HELM.md T16), each name's best over the references:
 * first of the likeliest completion, then, as `name@k`, of all, when `k` completions were to be asked for.
 * `max_prob`, the probability of the likeliest completion, goes first.
 * @throws InstanceProblem without a correct reference or a completion; ProblemError for an unknown name
 */
export const referencePoints = (
  state: RequestState,
  names: readonly string[],
  adapter: AdapterSpec,
  corrected?: readonly string[],
): readonly MetricPoint[] => {
  const golds = state.instance.references.filter(isCorrect).map(({ text }) => text)
  if (golds.length === 0) throw noCorrectReference(state.instance.id)
  const completions = (state.result?.completions ?? []).toSorted((a, b) => b.logprob - a.logprob)
  const likeliest = completions[0] ?? firstCompletion(state)
  const options = state.outputMapping
  const answers = completions.map(({ text }) =>
    options === undefined ? strip(text) : mapAnswer(strip(text), options, adapter.outputMappingPattern),
  )

  const points = [floatPoint(CONFIDENCE.name, Math.exp(likeliest.logprob))]
  for (const name of names) {
    const score = referenceScore(name, corrected)
    points.push(point(name, largest(golds.map((gold) => score(gold, answers[0])))))
    if (adapter.numOutputs === 1) continue
    const all = golds.flatMap((gold) => answers.map((answer) => score(gold, answer)))
    points.push(point(`${name}@${adapter.numOutputs}`, largest(all)))
  }
  return points
}
