import { isDict } from '../../benchmarks/python/kinds.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { MetricSpec } from '../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import type { Measure } from '../../benchmarks/scenario/metric-code.ts'
import type { MetricContext } from '../../benchmarks/scenario/metric-catalog.ts'
import { gradesOf, instanceRubric } from '../jury/grading/grade-answer.ts'
import { pointsScore } from '../jury/grading/read-grade.ts'
import { repeatedTag } from '../../benchmarks/scenario/rubric.ts'
import {
  InstanceProblem,
  noPoints,
  dictArgument,
  textArgument,
  statName,
  juryArguments,
  flag,
  number,
  share,
  type BuiltInMetric,
  floatPoint,
} from './metric.ts'
import { OWN_MEASURES, STRICT_SCORE } from './llm-jury.ts'

/** The authors' name of an example's score; as a stat it is the mean cut to 0 … 1. */
const OVERALL = 'overall_score'

const measuresOf = (name: string): readonly Measure[] => [
  number('share of the points', name, {
    better: 'higher',
    displayName: 'HealthBench score',
    description:
      'Points of the rubric items that an answer meets over the points above 0, before the mean is cut to 0 … 1: overall_score has it cut, as the authors publish it.',
  }),
  flag(`${name}:below_zero`, {
    better: 'lower',
    displayName: 'Answers below 0',
    description: 'Share of the answers that lose more points than they earn.',
  }),
  share(OVERALL, {
    better: 'higher',
    displayName: 'HealthBench score, cut to 0 … 1',
    description: 'The mean over all answers, cut to 0 … 1 after averaging, as the authors publish it.',
  }),
]

/** No class of HELM's computes it. */
const objects = (context: MetricContext): readonly MetricSpec[] => {
  const args = new Map(Object.entries(juryArguments(context, 'health_bench')))
  return [{ metric: 'health_bench', helm: { className: 'medmake.metrics.HealthBenchMetric', args } }]
}

/**
 * HealthBench as its authors score it (HELM.md T27). Of an example: the points of the items that the answer meets over
 * the points above 0, at most 1 and below 0 where the bad outweighs; the same by the example's own tags (themes) and, over
 * the items that carry it, by each tag of its items (axes). Several judges count the same. An example with an item that
 * some judge's reply says nothing of has no value.
 *
 * As stats `overall_score` and the tags are the authors': means cut to 0 … 1 after averaging, each with its bootstrap
 * error. `<metric_name>` is the mean before that cut, which hides how far below 0 it was.
 * @throws InstanceProblem without an item above 0 points, and where a tag is named twice
 */
export const healthBench: BuiltInMetric = {
  id: 'health_bench',
  version: '1.1.0',
  source: 'openai/simple-evals healthbench_eval',
  className: 'health_bench_metrics.HealthBenchMetric',
  sets: [{ name: 'health_bench', judged: true, specs: objects }],
  measures: measuresOf('<metric_name>'),
  given: (args) => measuresOf(statName(args) ?? '<metric_name>'),
  own: OWN_MEASURES.filter(({ name }) => name !== STRICT_SCORE),
  ofSplit: 'clipped',
  lead: { as: 'judged', name: statName },
  reads: ['instance', 'annotations'],
  evaluate: (state, spec) => {
    const judges = [...dictArgument(spec, 'annotator_models').keys()]
    const annotation = state.annotations?.get(textArgument(spec, 'scenario_name'))
    if (!isDict(annotation)) throw noPoints(state.instance.id)
    const judged = judges.map((judge) => annotation.get(judge))
    if (judged.includes(undefined)) return []
    const name = textArgument(spec, 'metric_name')
    const scores = meanScores(judged.map((each) => scoresBy(state.instance, each)))
    const overall = scores.get(OVERALL) ?? NaN
    return [
      floatPoint(name, overall),
      floatPoint(`${name}:below_zero`, overall < 0 ? 1 : 0),
      ...[...scores].map(([tag, score]) => floatPoint(tag, score)),
    ]
  },
}

type Scores = ReadonlyMap<string, number>

/** One judge's scores of an answer, in the authors' order. A tag of the items goes before one of the example. */
const scoresBy = (instance: Instance, judged: PyValue | undefined): Scores => {
  const grades = gradesOf(judged, 'health-bench')
  const items = instanceRubric(instance).map((item, index) => ({
    ...item,
    met: grades[index]?.get('criteria_met') === true,
  }))
  const overall = pointsScore(items)
  if (overall === undefined) throw noPoints(instance.id)
  const ownTags = exampleTags(instance)
  if ([ownTags, ...items.map(({ tags }) => tags)].some((tags) => repeatedTag(tags) !== undefined))
    throw tagsTwice(instance.id)
  const scores = new Map([[OVERALL, overall]])
  for (const tag of ownTags) scores.set(tag, overall)
  for (const tag of new Set(items.flatMap(({ tags }) => tags))) {
    const score = pointsScore(items.filter(({ tags }) => tags.includes(tag)))
    if (score !== undefined && tag !== OVERALL) scores.set(tag, score)
  }
  return scores
}

/** The authors assert that there is none: it is not said which of the two would count. */
const tagsTwice = (id: string | number): InstanceProblem =>
  new InstanceProblem({
    code: 'targets/tags-twice',
    message: `instance ${JSON.stringify(id)} names a tag twice, in its rubric or of its own`,
    remedy: 'Name each tag once: scores by tag mean nothing else.',
  })

const exampleTags = ({ extraData }: Instance): readonly string[] => {
  const tags = extraData?.get('example_tags')
  return Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string') : []
}

const meanScores = (judges: readonly Scores[]): Scores =>
  new Map(
    [...(judges[0] ?? [])].map(([tag]) => [
      tag,
      judges.reduce((sum, scores) => sum + (scores.get(tag) ?? NaN), 0) / judges.length,
    ]),
  )
