import type { MetricSpec } from '../../benchmarks/scenario/benchmark.ts'
import type { Outcome } from '../../cache/outcome.ts'
import { ProblemError } from '../../cache/problem.ts'
import { judgeScores } from '../jury/judge-scores.ts'
import type { RequestState } from '../record/request-state.ts'
import { dictArgument, numberArgument, textArgument } from './metric-arguments.ts'
import type { Metric, MetricFailure } from './metric.ts'
import { floatPoint, floatScore, point } from './points.ts'

type Verdict = readonly [judge: string, scores: Outcome<readonly number[]>]

const missingAnnotation = (id: string | number, annotator: string): ProblemError =>
  new ProblemError({
    code: 'targets/missing-annotation',
    message: `instance ${JSON.stringify(id)} has no annotation ${JSON.stringify(annotator)}`,
    where: { field: 'scenario_name' },
    remedy: "Let scenario_name name the benchmark's annotator, and run the jury before its metric.",
  })

/** What each judge gave, in the annotation's order. Judges without a readable reply are not among them. */
const verdicts = (state: RequestState, spec: MetricSpec): readonly Verdict[] => {
  const judges = dictArgument(spec, 'annotator_models')
  const annotator = textArgument(spec, 'scenario_name')
  const annotation = state.annotations?.get(annotator)
  if (!(annotation instanceof Map)) throw missingAnnotation(state.instance.id, annotator)
  return [...annotation]
    .filter(([key, judgement]) => judges.has(key) && judgement !== null)
    .map(([judge, judgement]): Verdict => [judge, judgeScores(judgement)])
}

/**
 * HELM's LLMJuryMetric under the profile helm-0.5.16 (medhelm-benchmarks.md §4.3): the mean over all scores of all
 * judges, each truncated to a whole number. Range by the rubric, usually 1–5; higher is better.
 * Without any score (an empty answer, no judge that could be read) HELM's default_score stands in, 1 in MedHELM.
 * @throws ProblemError without the annotation
 */
export const llmJury: Metric = {
  id: 'llm_jury',
  version: '1.0.0',
  reads: ['annotations'],
  evaluate: (state, spec) => {
    const name = textArgument(spec, 'metric_name')
    const scores = verdicts(state, spec).flatMap(([, verdict]) =>
      verdict.kind === 'done' ? verdict.value : [],
    )
    if (scores.length === 0) return [point(name, numberArgument(spec, 'default_score', floatScore(0)))]
    return [floatPoint(name, scores.reduce((sum, score) => sum + score, 0) / scores.length)]
  },
  failures: (state, spec) =>
    verdicts(state, spec).flatMap(([judge, verdict]): MetricFailure[] =>
      verdict.kind === 'failed' ? [{ part: judge, cause: verdict.cause }] : [],
    ),
}
