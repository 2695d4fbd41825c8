import {
  number,
  dictArgument,
  numberArgument,
  textArgument,
  statName,
  juryArguments,
  noPoints,
  metricObject,
  type BuiltInMetric,
  type MetricFailure,
  floatPoint,
  floatScore,
  point,
  share,
  type MetricPoint,
} from './metric.ts'
import { float } from '../../benchmarks/python/numbers/number.ts'
import type { MetricContext } from '../../benchmarks/scenario/metric-catalog.ts'
import type { MetricSpec, ObjectSpec, ItemGrading } from '../../benchmarks/scenario/benchmark.ts'
import type { Measure } from '../../benchmarks/scenario/metric-code.ts'
import { type Outcome, ProblemError } from '../../cache/problems/problem.ts'
import { judgeScores } from '../jury/judge-scores.ts'
import { DEFAULT_PROFILE, dialectOf, type Dialect } from '../profile.ts'
import type { RequestState } from '../record/request-state.ts'
import { meanOf } from '../statistics/mean.ts'
import type { JudgementReading } from '../jury/stored-judgements.ts'

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
  if (annotation === null) throw noPoints(state.instance.id)
  if (!(annotation instanceof Map)) throw missingAnnotation(state.instance.id, annotator)
  return [...annotation]
    .filter(([key, judgement]) => judges.has(key) && judgement !== null)
    .map(([judge, judgement]): Verdict => [judge, judgeScores(judgement, scores)])
}

const juryScore = (name: string): Measure =>
  number('points of the rubric', name, {
    better: 'higher',
    displayName: 'Jury score',
    description: 'Mean of all scores that the judges of a jury gave by the criteria of its rubric.',
  })

const juryObjects = (context: MetricContext): readonly MetricSpec[] => {
  const score = context.jury?.defaultScore
  return [
    metricObject(llmJury, {
      ...juryArguments(context, 'llm_jury'),
      ...(score === undefined ? {} : { default_score: float(score) }),
    }),
  ]
}

/** The name of the stat that a metric object gives of a jury; undefined where it is another metric's. */
export const juryStat = ({ className, args }: ObjectSpec): string | undefined =>
  className.endsWith(`.${llmJury.className.split('.')[1] ?? ''}`) ? statName(args) : undefined

/** Whether a stat is a jury's score. */
export const isJurys = (name: string, specs: readonly ObjectSpec[]): boolean =>
  name === STRICT_SCORE || specs.some((spec) => juryStat(spec) === name)

export const STRICT_SCORE = 'jury_score_strict'
export const JURY_COVERAGE = 'jury_coverage'

/** Ours, of every jury. */
export const OWN_MEASURES: readonly Measure[] = [
  number('points of the rubric', STRICT_SCORE, {
    better: 'higher',
    displayName: 'Jury score, judged answers',
    description: 'Mean of all scores of the judges that could be read; an answer without one has no value.',
  }),
  share(JURY_COVERAGE, {
    better: 'higher',
    displayName: 'Judgements read',
    description: 'Share of the judges whose judgement of an answer could be read.',
  }),
]

/**
 * HELM's LLMJuryMetric (HELM.md T13): the mean over all scores of all judges, each truncated to a whole
 * number under helm-0.5.16 and paper-2025, as it is under medhelm-0.8; paper-2025 raises a mean below 1 to 1.
 * Range by the rubric, usually 1–5; higher is better. Without any score (an empty answer, no judge that could be read) HELM's default_score stands in, 1 in MedHELM.
 * @throws ProblemError without the annotation
 * @throws InstanceProblem where the instance's own rubric has no points
 */
export const llmJury: BuiltInMetric = {
  id: 'llm_jury',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 LLMJuryMetric',
  className: 'llm_jury_metrics.LLMJuryMetric',
  sets: [{ name: 'llm_jury', judged: true, simple: ['jury_score'], specs: juryObjects }],
  measures: [juryScore('<metric_name>')],
  given: (args) => [juryScore(statName(args) ?? '<metric_name>')],
  own: OWN_MEASURES,
  lead: { as: 'judged', name: statName },
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
    return [floatPoint(name, atLeast(dialect, meanOf(scores)))]
  },
  failures: (state, spec, profile = DEFAULT_PROFILE) =>
    verdicts(state, spec, dialectOf(profile)).flatMap(([judge, verdict]): MetricFailure[] =>
      verdict.kind === 'failed' ? [{ part: judge, cause: verdict.cause }] : [],
    ),
}

const atLeast = ({ leastScore = -Infinity }: Dialect, score: number): number => Math.max(leastScore, score)

export const OWN_METRICS: ReadonlySet<string> = new Set(OWN_MEASURES.map(({ name }) => name))

/**
 * Our own stats of one answer beside the profile's jury score, which stands in a default where judges fail.
 * `jury_score_strict`: the mean over all scores of the judges that count; no value where none does, so a failed judge
 * never is a score. Equals the profile's score where every judge counts. `jury_coverage`: the share of the judges that
 * count, 0 to 1; no value where there was nothing to judge. HealthBench's own score is strict itself.
 */
export const strictPoints = (
  judges: readonly JudgementReading[],
  grading?: ItemGrading,
): readonly MetricPoint[] => {
  const counted = judges.flatMap((judge) => (judge.kind === 'scores' ? [judge.scores] : []))
  const scores = counted.flat()
  return [
    ...(scores.length === 0 || grading?.style === 'health-bench'
      ? []
      : [floatPoint(STRICT_SCORE, meanOf(scores))]),
    ...(judges.length === 0 ? [] : [floatPoint(JURY_COVERAGE, counted.length / judges.length)]),
  ]
}
