import { describe, expect, it } from 'vitest'
import { perInstanceStats, StatsAggregator } from '../../../../targets/metrics/scoring/aggregate-run.ts'
import { metricOf } from '../../../../targets/metrics/catalog.ts'
import { type MetricPoint, emptyPoint, floatPoint, intPoint } from '../../../../targets/metrics/metric.ts'
import type { Stat } from '../../../../targets/record/stat.ts'
import type { Split } from '../../../../benchmarks/scenario/instance.ts'

interface Place {
  readonly id: string | number
  readonly split?: Split
  readonly subSplit?: string
  readonly trial?: number
}

const context = ({ id, split = 'test', subSplit, trial = 0 }: Place) => ({
  instance: { id, split, ...(subSplit === undefined ? {} : { subSplit }) },
  trainTrialIndex: trial,
})

const label = ({ name, count, sum }: Stat): string => {
  const { split, subSplit, perturbation } = name
  const place = [split, subSplit, perturbation?.name].filter((part) => part !== undefined).join('/')
  return `${name.name} ${place} ${count} ${sum}`
}

const labels = (aggregator: StatsAggregator): readonly string[] => aggregator.result().stats.map(label)

describe('the stats of a run', () => {
  it('are means over instances, with worst cases behind and num_instances in its place', () => {
    const aggregator = new StatsAggregator(
      ['basic_generation', 'instances_per_split', 'llm_jury'].map(metricOf),
    )
    aggregator.add(context({ id: 'a' }), [[intPoint('exact_match', 1)], [], [floatPoint('score', 4)]])
    aggregator.add(context({ id: 'b' }), [[intPoint('exact_match', 0)], [], [floatPoint('score', 5)]])
    expect(labels(aggregator)).toEqual([
      'exact_match test 1 0.5',
      'exact_match test/robustness 1 0.5',
      'exact_match test/fairness 1 0.5',
      'num_instances test 1 2',
      'score test 1 4.5',
      'score test/robustness 1 4.5',
      'score test/fairness 1 4.5',
    ])
    expect(aggregator.result().stats.every(({ float }) => float)).toBe(true)
  })

  it('count trials, not instances', () => {
    const aggregator = new StatsAggregator(['medec', 'instances_per_split'].map(metricOf))
    // Trials may be mixed: each has sums of its own.
    aggregator.add(context({ id: 'a', trial: 1 }), [[intPoint('x', 4)], []])
    aggregator.add(context({ id: 'a', trial: 0 }), [[intPoint('x', 1)], []])
    aggregator.add(context({ id: 'b', trial: 1 }), [[intPoint('x', 2)], []])
    const [x, , , instances] = aggregator.result().stats
    expect(x).toMatchObject({ count: 2, sum: 4, min: 1, max: 3, mean: 2, variance: 1, stddev: 1 })
    expect(instances).toMatchObject({ name: { name: 'num_instances', split: 'test' }, count: 2, sum: 3 })
  })

  it('keep splits and sub-splits apart, in order of appearance', () => {
    const aggregator = new StatsAggregator(['instances_per_split', 'medec'].map(metricOf))
    aggregator.add(context({ id: 'a', split: 'valid' }), [[], [intPoint('x', 1)]])
    aggregator.add(context({ id: 'b', subSplit: 'rare' }), [[], [intPoint('x', 2)]])
    aggregator.add(context({ id: 'c', split: 'valid' }), [[], [intPoint('x', 3)]])
    aggregator.add(context({ id: 'd', subSplit: 'common' }), [[], [intPoint('x', 5)]])
    aggregator.add(context({ id: 'e', subSplit: 'rare' }), [[], [intPoint('x', 4)]])
    expect(labels(aggregator).filter((text) => !/robust|fair/.test(text))).toEqual([
      'num_instances valid 1 2',
      'num_instances test/rare 1 2',
      'num_instances test/common 1 1',
      'x valid 1 2',
      'x test/rare 1 3',
      'x test/common 1 5',
    ])
  })

  it('name a stat without values, but give it no worst case', () => {
    const aggregator = new StatsAggregator(['basic_generation'].map(metricOf))
    aggregator.add(context({ id: 'a' }), [[emptyPoint('training_co2_cost'), emptyPoint('late')]])
    aggregator.add(context({ id: 'b' }), [[emptyPoint('training_co2_cost'), intPoint('late', 2)]])
    expect(labels(aggregator)).toEqual([
      'training_co2_cost test 0 0',
      'late test 1 2',
      'late test/robustness 1 2',
      'late test/fairness 1 2',
    ])
  })

  it('derive perplexity and bits per byte from sums over the split', () => {
    const language = (logprob: number, tokens: number, bytes: number): readonly MetricPoint[] => [
      floatPoint('logprob', logprob),
      intPoint('num_perplexity_tokens', tokens),
      intPoint('num_bytes', bytes),
    ]
    const aggregator = new StatsAggregator(['basic_generation'].map(metricOf))
    aggregator.add(context({ id: 'a' }), [language(-3, 2, 8)])
    aggregator.add(context({ id: 'b' }), [language(-1, 2, 8)])
    const derived = aggregator.result().stats.slice(3, 6)
    expect(derived.map(({ name, mean }) => [name.name, mean])).toEqual([
      ['perplexity', Math.E],
      ['bits_per_byte', 0.25 / Math.LN2],
      ['logprob_per_byte', -0.25],
    ])
  })

  it('derive them of one token and of certainty, to the last bit, and of a language model’s answers alone', () => {
    const derived = (metric: string, logprob: number, tokens: number, bytes: number) => {
      const aggregator = new StatsAggregator([metricOf(metric)])
      const points = [intPoint('num_perplexity_tokens', tokens), intPoint('num_bytes', bytes)]
      aggregator.add(context({ id: 'a' }), [[intPoint('logprob', logprob), ...points]])
      return ['perplexity', 'bits_per_byte', 'logprob_per_byte'].map(
        (wanted) => aggregator.result().stats.find(({ name }) => name.name === wanted)?.sum,
      )
    }
    // By Python: e ** 1, 1 / 3 / log(2), -1 / 3.
    expect(derived('basic_generation', -1, 1, 3)).toEqual([Math.E, 0.4808983469629878, -1 / 3])
    expect(derived('basic_generation', 0, 1, 3)).toEqual([1, 0, 0])
    expect(derived('basic_generation', 0, 0, 0)).toEqual([undefined, undefined, undefined])
    expect(derived('medec', -1, 1, 3)).toEqual([undefined, undefined, undefined])
  })

  it('are the same to the last bit in whatever order the trials come', () => {
    const sum = (trials: readonly number[]): number | undefined => {
      const aggregator = new StatsAggregator([metricOf('medec')])
      for (const trial of trials)
        aggregator.add(context({ id: 'a', trial }), [[floatPoint('x', (trial + 1) / 10)]])
      return aggregator.result().stats[0]?.sum
    }
    // 0.1 + 0.2 + 0.3, where 0.3 + 0.2 + 0.1 is 0.6.
    expect([sum([0, 1, 2]), sum([2, 1, 0])]).toEqual([0.6000000000000001, 0.6000000000000001])
  })

  it('tell once of a split that no scaling fits, however many trials it has', () => {
    const aggregator = new StatsAggregator([metricOf('basic_generation')])
    for (const trial of [0, 1])
      for (const [id, correct] of [
        ['a', 1],
        ['b', 0],
      ] as const)
        aggregator.add(context({ id, trial }), [
          [floatPoint('max_prob', 0.5), intPoint('exact_match', correct), floatPoint('logprob', -0.7)],
        ])
    expect(aggregator.result().omitted).toMatchObject([{ names: 'platt_*', context: { split: 'test' } }])
  })

  it('refuse an id and a metric name that come twice, as HELM does', () => {
    const aggregator = new StatsAggregator(['medec'].map(metricOf))
    aggregator.add(context({ id: 1 }), [[intPoint('x', 1)]])
    // Python's int 1 and text "1" are two ids.
    aggregator.add(context({ id: '1' }), [[intPoint('x', 1)]])
    expect(() => aggregator.add(context({ id: 1 }), [[intPoint('x', 1)]])).toThrow(
      'targets/repeated-instance-id',
    )
    expect(() => aggregator.add(context({ id: 2 }), [[intPoint('x', 1), intPoint('x', 1)]])).toThrow(
      'targets/repeated-metric-name',
    )
  })

  it('are empty for a run without instances', () => {
    expect(
      new StatsAggregator(['basic_generation', 'instances_per_split'].map(metricOf)).result().stats,
    ).toEqual([])
  })
})

describe('the stats of one instance', () => {
  it('keep Python’s ints', () => {
    const stats = perInstanceStats(context({ id: 7, trial: 1 }), [intPoint('x', 2), floatPoint('y', 1)])
    expect(stats).toMatchObject({ instanceId: 7, trainTrialIndex: 1 })
    expect(stats?.stats.map(({ name, sum, float }) => [name, sum, float])).toEqual([
      [{ name: 'x', split: 'test' }, 2, false],
      [{ name: 'y', split: 'test' }, 1, true],
    ])
  })

  it('are left out where the metric has none', () => {
    expect(perInstanceStats(context({ id: 'a' }), [])).toBeUndefined()
  })
})
