import { expect, it } from 'vitest'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import { perInstanceStatsForm, statForm, type HelmStat } from '../../../tools/helm/forms/stat.ts'

const plain: HelmStat = {
  name: { name: 'm', split: 'test' },
  count: 1,
  sum: 0,
  sumSquared: 0,
  min: 0,
  max: 0,
  mean: 0,
  variance: 0,
  stddev: 0,
  float: false,
}

/** Stats of one name and sum, each unlike the first in one thing. */
const alike: readonly HelmStat[] = [
  plain,
  { ...plain, float: true },
  { ...plain, sum: -0, float: true },
  { ...plain, mean: -0 },
  { ...plain, min: -1, max: 1 },
  { ...plain, sumSquared: 2 },
  { ...plain, count: 2 },
  { ...plain, varianceIsInt: true },
  { ...plain, variance: 0.25, stddev: 0.5 },
  { ...plain, name: { name: 'm', split: 'valid' } },
  { ...plain, name: { name: 'm', split: 'test', subSplit: 's' } },
  {
    ...plain,
    name: {
      name: 'm',
      split: 'test',
      perturbation: { name: 'fairness', robustness: false, fairness: true, computedOn: 'worst' },
    },
  },
  { name: { name: 'm', split: 'test' }, count: 0, sum: 0, sumSquared: 0, float: false },
]

it.each([1, -1])('a stat of an instance is never written as another of its name and sum', (direction) => {
  const stats = [...alike, ...alike]
  const ordered = direction === 1 ? stats : stats.toReversed()
  for (const stat of ordered)
    expect(dumps(perInstanceStatsForm.write({ instanceId: 'i', trainTrialIndex: 0, stats: [stat] }))).toBe(
      `{"instance_id": "i", "train_trial_index": 0, "stats": [${dumps(statForm.write(stat))}]}`,
    )
})
