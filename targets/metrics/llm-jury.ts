import { numbers } from './measure.ts'
import type { MetricSpec } from '../../benchmarks/scenario/benchmark.ts'
import type { Outcome } from '../../cache/outcome.ts'
import { ProblemError } from '../../cache/problem.ts'
import { judgeScores } from '../jury/judge-scores.ts'
import { DEFAULT_PROFILE, dialectOf, type Dialect } from '../profile.ts'
import type { RequestState } from '../record/request-state.ts'
import { dictArgument, numberArgument, textArgument } from './metric-arguments.ts'
import type { Metric, MetricFailure } from './metric.ts'
import { floatPoint, floatScore, point } from './scoring/points.ts'

type Verdict = readonly [judge: string, scores: Outcome<readonly number[]>]

const missingAnnotation = (id: string | number, annotator: string): ProblemError =>
  new ProblemError({
    code: 'targets/missing-annotation',
    message: `instance ${JSON.stringify(id)} has no annotation ${JSON.stringify(annotator)}`,
    where: { field: 'scenario_name' },
    remedy: "Let scenario_name name the benchmark's annotator, and run the jury before its metric.",
  })

/** What each judge gave, in the annotation's order. Judges without a readable reply are not among them. */
const verdicts = (
  state: RequestState,
  spec: MetricSpec,
  { scores }: Pick<Dialect, 'scores'>,
): readonly Verdict[] => {
  const judges = dictArgument(spec, 'annotator_models')
  const annotator = textArgument(spec, 'scenario_name')
  const annotation = state.annotations?.get(annotator)
  if (!(annotation instanceof Map)) throw missingAnnotation(state.instance.id, annotator)
  return [...annotation]
    .filter(([key, judgement]) => judges.has(key) && judgement !== null)
    .map(([judge, judgement]): Verdict => [judge, judgeScores(judgement, scores)])
}

/**
 * HELM's LLMJuryMetric (HELM.md T13): the mean over all scores of all judges, each truncated to a whole
 * number under helm-0.5.16 and paper-2025, as it is under medhelm-0.8; paper-2025 raises a mean below 1 to 1.
 * Range by the rubric, usually 1–5; higher is better. Without any score (an empty answer, no judge that could be read) HELM's default_score stands in, 1 in MedHELM.
 * @throws ProblemError without the annotation
 */
export const llmJury: Metric = {
  id: 'llm_jury',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 LLMJuryMetric',
  measures: numbers('points of the rubric', ['<metric_name>'], { better: 'higher' }),
  reads: ['annotations'],
  dialects: true,
  evaluate: (state, spec, _adapter, profile = DEFAULT_PROFILE) => {
    const dialect = dialectOf(profile)
    const name = textArgument(spec, 'metric_name')
    const scores = verdicts(state, spec, dialect).flatMap(([, verdict]) =>
      verdict.kind === 'done' ? verdict.value : [],
    )
    if (scores.length === 0) {
      const given = numberArgument(spec, 'default_score', floatScore(0))
      return [point(name, { ...given, value: atLeast(dialect, given.value) })]
    }
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
    return [floatPoint(name, atLeast(dialect, mean))]
  },
  failures: (state, spec, profile = DEFAULT_PROFILE) =>
    verdicts(state, spec, dialectOf(profile)).flatMap(([judge, verdict]): MetricFailure[] =>
      verdict.kind === 'failed' ? [{ part: judge, cause: verdict.cause }] : [],
    ),
}

const atLeast = ({ leastScore = -Infinity }: Dialect, score: number): number => Math.max(leastScore, score)
