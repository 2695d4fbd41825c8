import { expect, test } from 'vitest'
import { memoryStore } from '../../../cache/memory-store.ts'
import type { KeptStore } from '../../../targets/env/env.ts'
import { InstanceProblem, type Metric, type MetricPoint } from '../../../targets/metrics/metric.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'
import { createMetricStage, type MetricDigests } from '../../../targets/stages/metrics.ts'
import { madeUpTarget } from '../../rig/made-up-run.ts'

const { spec } = madeUpTarget({ instances: [] })
const [declared] = spec.metrics
if (declared === undefined) throw new Error('there is a metric')

const DIGESTS: MetricDigests = {
  instance: 'i',
  prompt: 'p',
  completions: 'c',
  annotations: 'a',
  latency: 'l',
}
const state = {} as RequestState

const stageOf = (
  store: KeptStore,
  id: string,
  evaluate: () => readonly MetricPoint[],
  more: Partial<Metric> = {},
) =>
  createMetricStage(
    { id, version: '1', source: 'ours', measures: [], reads: ['instance', 'completions'], evaluate, ...more },
    declared,
    spec.adapter,
    { store, profile: 'helm-0.5.16' },
  )

test('Values are read back as they were measured: ints, floats and none, under the names of their own metric.', async () => {
  const store = memoryStore() as KeptStore
  const points: readonly MetricPoint[] = [
    { name: 'whole', value: 1, float: false },
    { name: 'share', value: 1, float: true },
    { name: 'none', value: null, float: false },
  ]
  const others = points.map((point, at) => ({ ...point, name: `other ${at}` }))
  const cause = { code: 'x', detail: 'y' }
  const first = stageOf(store, 'a', () => points)
  const second = stageOf(store, 'b', () => others, { failures: () => [{ part: 'one', cause }] })
  const failures = [{ part: 'one', cause }]
  const made = await first.run(DIGESTS, () => state)
  expect(made).toMatchObject({ points, failures: [], cached: false })
  expect(await second.run(DIGESTS, () => state)).toMatchObject({ points: others, failures })
  const anew = stageOf(store, 'a', () => {
    throw new Error('it was measured')
  })
  expect(await anew.run(DIGESTS, () => state)).toEqual({ ...made, cached: true })
  expect(first.load(made.digest)).toEqual({ points, failures: [] })
  expect(await second.run(DIGESTS, () => state)).toMatchObject({ points: others, failures, cached: true })
  // What it does not read alters nothing.
  expect(first.peek({ ...DIGESTS, prompt: 'q', latency: 'm', annotations: 'b' }).cached).toBe(true)
  expect(first.peek({ ...DIGESTS, completions: 'd' }).cached).toBe(false)
})

test('An instance that can’t be measured has no values and says why; any other error is one.', async () => {
  const store = memoryStore() as KeptStore
  const problem = { code: 'metrics/odd', message: 'it is odd', remedy: '' }
  const odd = stageOf(store, 'odd', () => {
    throw new InstanceProblem(problem)
  })
  expect(await odd.run(DIGESTS, () => state)).toMatchObject({
    points: [],
    failures: [{ part: 'odd', cause: { code: 'metrics/odd', detail: 'it is odd' } }],
  })
  const broken = stageOf(store, 'broken', () => {
    throw new TypeError('ours')
  })
  await expect(broken.run(DIGESTS, () => state)).rejects.toThrow('ours')
  expect(broken.peek(DIGESTS).cached).toBe(false)
})
