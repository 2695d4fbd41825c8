import { expect, test } from 'vitest'
import type { Digest } from '../../../cache/values/digest.ts'
import { recordedPlaces } from '../../../targets/record/recorded-places.ts'
import { guardedStore } from '../../../cache/vault/open-vault.ts'
import { createRegistry } from '../../../models/registry/registry.ts'
import { basicGeneration } from '../../../targets/metrics/basic-generation.ts'
import { metricObject } from '../../../targets/metrics/metric.ts'
import type { Built } from '../../../targets/runs/board-metric.ts'
import { boardRun, type Run } from '../../../targets/runs/run.ts'
import { InstanceSources, sourceName } from '../../../targets/runs/instance-sources.ts'
import { judgedSummary } from '../../../targets/runs/judged-summary.ts'
import { forgetStudies, keepStudy, keptStudy } from '../../../targets/runs/kept-study.ts'
import { keepCalibration, storedCalibration } from '../../../targets/runs/stored-calibration.ts'
import { recalledRun } from '../../../targets/runs/recalled-run.ts'
import { storedRuns } from '../../../targets/runs/stored-run.ts'
import { buildTargets } from '../../rig/build-targets.ts'
import {
  askedText,
  madeUpInstances,
  madeUpRun,
  madeUpTarget,
  realStore,
  textReply,
  type MadeUpTarget,
} from '../../rig/made-up-run.ts'

const registry = createRegistry([], [])
const INSTANCES = madeUpInstances([
  ['say a', 'a'],
  ['say b', 'b'],
])

/** A run of the store whose model answers so. */
const stored = async (
  answer: string,
  target: Partial<MadeUpTarget> = {},
  source: Partial<Parameters<typeof storedRuns>[0]> = {},
  names?: readonly string[],
): Promise<{ readonly run: Run; readonly built: Built }> => {
  const { env } = await madeUpRun(() => textReply(answer))
  const built: Built[] = []
  const made = madeUpTarget({ instances: INSTANCES, ...target })
  const metrics =
    names === undefined ? made.spec.metrics : [metricObject(basicGeneration, { names: [...names] })]
  await buildTargets(
    [{ ...made, spec: { ...made.spec, metrics } }],
    env,
    async (result) => void built.push({ suite: 'all', ...result }),
  )
  const [first] = built
  if (first === undefined) throw new Error('nothing was built')
  return { run: storedRuns({ env, registry, coverageFloor: 0.5, ...source })(first), built: first }
}

const resultsOf = async (...given: Parameters<typeof stored>): Promise<string | undefined> =>
  (await (await stored(...given)).run.asked?.())?.results

test('Results are equal where the same was asked, answered and measured, in whatever order.', async () => {
  const plain = await resultsOf('a')
  expect(await resultsOf('a', { instances: INSTANCES.toReversed() })).toBe(plain)
  expect(await resultsOf('b')).not.toBe(plain)
  expect(await resultsOf('a', { adapter: { instructions: 'In other words.' } })).not.toBe(plain)
  expect(await resultsOf('a', {}, {}, ['quasi_exact_match'])).not.toBe(plain)
})

test('An instance is told by all that came of it, whatever stands beside it.', async () => {
  const byId = async (...given: Parameters<typeof stored>) =>
    (await (await stored(...given)).run.asked?.())?.resultsById?.()
  const plain = await byId('a')
  expect([...(plain ?? [])].map(([id]) => id)).toEqual(['id0', 'id1'])
  expect((await byId('a', { instances: INSTANCES.slice(0, 1) }))?.get('id0')).toBe(plain?.get('id0'))
  expect((await byId('b'))?.get('id0')).not.toBe(plain?.get('id0'))
  const twice = await byId('a', { adapter: { numTrainTrials: 2 } })
  expect([twice?.size, twice?.get('id0') === plain?.get('id0')]).toEqual([2, false])
})

test('Each trial asks every instance once.', async () => {
  const { run } = await stored('a', { adapter: { numTrainTrials: 2 } })
  const asked = await run.asked?.()
  expect([asked?.instances.length, asked?.trials]).toEqual([2, 2])
})

test('The margin is the workspace’s where it has one; the floor of coverage the benchmark’s.', async () => {
  const benchmark = { margin: 0.1, coverageFloor: 0.7 }
  const own = await stored('a', { benchmark })
  expect([own.run.margin, own.run.benchmark.coverageFloor]).toEqual([0.1, 0.7])
  const given = await stored('a', { benchmark }, { margins: { letters: 0.2 } })
  expect([given.run.margin, (await stored('a')).run.benchmark.coverageFloor]).toEqual([0.2, 0.5])
})

test('A benchmark that is not public is told as such, unless its texts are to be shown on this machine.', async () => {
  const accessOf = async (...given: Parameters<typeof stored>) =>
    (await stored(...given)).run.benchmark.access
  const shown = { showsTexts: true }
  for (const access of ['gated', 'private'] as const) {
    expect(await accessOf('a', { access })).toBe(access)
    expect(await accessOf('a', { access }, shown)).toBe('local')
  }
  expect([await accessOf('a'), await accessOf('a', {}, shown)]).toEqual(['public', 'public'])
})

test('Instances are in groups by their attributes and their part of a split; examples are in none.', async () => {
  const [first, second] = INSTANCES
  if (first === undefined || second === undefined) throw new Error('there are two')
  const instances = [
    { ...first, attributes: { sex: 'f' }, subSplit: 'x' },
    { ...second, attributes: { sex: 'm' } },
    { ...first, id: 'part', subSplit: 'y' },
    { ...first, id: 'plain' },
    { ...first, id: 'example', split: 'train' as const, attributes: { sex: 'f' } },
  ]
  const attributes = [{ name: 'sex', column: 'sex' }]
  const { run } = await stored('a', { instances, benchmark: { attributes } })
  for (const _ of [1, 2])
    expect(await run.instanceGroups?.()).toEqual({
      attributes,
      groups: new Map([
        ['id0', { sex: 'f', sub_split: 'x' }],
        ['id1', { sex: 'm' }],
        ['part', { sub_split: 'y' }],
      ]),
    })
})

test('A board’s run holds our own values beside HELM’s.', async () => {
  const { run } = await stored('a', { judges: ['one'] })
  const stats = (await boardRun(run)).run.stats.map(({ name }) => name.name)
  expect(stats).toEqual([...run.stats, ...run.ownStats].map(({ name }) => name.name))
  expect(stats).toContain('jury_coverage')
})

test('A calibration is of one record alone, and lies where the texts of its benchmark do.', async () => {
  const { env, vault } = await madeUpRun(() => textReply('a'))
  const calibration = { value: 0.5, interval: null, labels: 7 }
  const kept = { benchmark: { access: 'private' as const }, env }
  await keepCalibration('one', calibration, kept)
  expect(await storedCalibration('one', kept.benchmark, env)).toEqual(calibration)
  expect(await storedCalibration('two', kept.benchmark, env)).toBeUndefined()
  expect(await storedCalibration('one', { access: 'public' }, env)).toBeUndefined()
  expect([...vault.entries('files')]).toHaveLength(1)
})

test('Values are read of the split that the main metric is asked of, also where another was read before.', async () => {
  const instances = INSTANCES.map((each, at) => ({
    ...each,
    split: at === 0 ? ('test' as const) : ('valid' as const),
  }))
  const { env } = await madeUpRun(() => textReply('a'))
  const requests: number[] = []
  for (const split of ['test', 'valid', 'test']) {
    const target = madeUpTarget({ instances, benchmark: { mainMetric: { name: 'exact_match', split } } })
    await buildTargets([target], env, async (result) => {
      const run = storedRuns({ env, registry, coverageFloor: 0.5 })({ suite: 'all', ...result })
      requests.push((await run.measured()).sample.requests)
      expect((await run.measured()).vector?.ids).toEqual([split === 'test' ? 'id0' : 'id1'])
    })
  }
  expect(requests).toEqual([1, 1, 1])
})

test('A record leads to all that it stands on, its rows and texts among it where they lie apart.', async () => {
  const [records, vault] = [await realStore(), await realStore()]
  const guarded = guardedStore(records, vault)
  const more = { restricted: async () => ({ store: guarded }) }
  const { env } = await madeUpRun(() => textReply('a'), { records, vault, more })
  const places: string[] = []
  await buildTargets([madeUpTarget({ instances: INSTANCES, access: 'private' })], env, async ({ digest }) => {
    for (const { tables, id } of recordedPlaces(digest, { records, texts: guarded }))
      places.push(tables.find((table) => guarded.has(table, id)) ?? 'nowhere')
  })
  const of = (table: string) => places.filter((place) => place === table).length
  const tables = ['records', 'instances', 'prompts', 'completions', 'metrics', 'nowhere']
  expect(tables.map(of)).toEqual([1, 3, 2, 2, 2, 0])
})

test('One source has one name in all benchmarks, and a note of the name of a patient another.', () => {
  expect(sourceName('patient', 'a')).toBe(sourceName('patient', 'a'))
  expect(sourceName('note', 'a')).not.toBe(sourceName('patient', 'a'))
  expect(sourceName('patient', 'a')).not.toContain('patient')
})

test('A study of judges is shown beside all of its runs, and where one of them is missing not at all.', async () => {
  const store = await realStore()
  await keepStudy('repeats', ['one', 'two'], { share: 0.5 }, store)
  expect(keptStudy('repeats', ['two', 'one', 'three'], store)).toEqual({ share: 0.5 })
  expect(keptStudy('repeats', ['one'], store)).toBeUndefined()
  expect(keptStudy('clinicians', ['one', 'two'], store)).toBeUndefined()
  await forgetStudies('clinicians', ['one', 'two'], store)
  expect(keptStudy('repeats', ['one', 'two'], store)).toEqual({ share: 0.5 })
  await forgetStudies('repeats', ['one', 'two', 'three'], store)
  expect(keptStudy('repeats', ['one', 'two'], store)).toBeUndefined()
})

test('A score that could not be read is none, also when values are read from what is kept of them, or of a board of before.', async () => {
  const { env } = await madeUpRun((request, deployment) => {
    if (!deployment.startsWith('j/')) return textReply('a')
    return textReply(askedText(request).includes('say b') ? 'no score' : '{"accuracy": {"score": 4}}')
  })
  const mainMetric = { name: 'letters_accuracy', split: 'test' }
  const target = madeUpTarget({ instances: INSTANCES, judges: ['one', 'two'], benchmark: { mainMetric } })
  await buildTargets([target], env, async (result) => {
    const open = () => storedRuns({ env, registry, coverageFloor: 0.5 })({ suite: 'all', ...result })
    for (let time = 0; time < 2; time += 1)
      expect([...((await open().measured()).vector?.values ?? [])]).toEqual([4, NaN])
    const former = { record: result.digest, target: result.record.target, rows: result.record.rowsDigest }
    for (const known of [former, { ...former, record: '' }, { ...former, target: '' }]) {
      const recalled = await recalledRun(known, target, env)
      expect([...(recalled?.vector.values ?? [])]).toEqual([4, NaN])
      // By it the same unread reply is known again.
      expect(recalled?.resultsById?.()).toEqual((await open().asked?.())?.resultsById?.())
    }
    expect(await recalledRun({ ...former, rows: 'others' }, target, env)).toBeUndefined()
    const { spec } = madeUpTarget({
      instances: INSTANCES,
      benchmark: { mainMetric },
      adapter: { maxEvalInstances: 1 },
    })
    expect(await recalledRun(former, { spec }, env)).not.toHaveProperty('resultsById')
  })
})

test('What judges gave is told the same when it is read from what is kept of it.', async () => {
  const scores = new Map([
    ['j/one', 4],
    ['j/two', 2],
  ])
  const { env } = await madeUpRun((_, deployment) =>
    textReply(scores.has(deployment) ? `{"accuracy": {"score": ${scores.get(deployment)}}}` : 'a'),
  )
  const mainMetric = { name: 'letters_accuracy', split: 'test' }
  const target = madeUpTarget({ instances: INSTANCES, judges: ['one', 'two'], benchmark: { mainMetric } })
  await buildTargets([target], env, async (result) => {
    const judged = () =>
      storedRuns({ env, registry, coverageFloor: 0.5 })({ suite: 'all', ...result }).judged?.()
    const first = await judged()
    expect(first?.run.all).toEqual({ mean: 3, instances: 2 })
    expect([...(first?.run.without ?? [])]).toEqual([
      ['one', { mean: 2, instances: 2 }],
      ['two', { mean: 4, instances: 2 }],
    ])
    expect(await judged()).toEqual(first)
  })
})

test('Two declarations may name other sources of the same instances.', async () => {
  const { env } = await madeUpRun(() => textReply('a'))
  const sources = new InstanceSources(env)
  const of = async (cluster: string) => {
    const instances = INSTANCES.map((each) => ({ ...each, cluster: 'ann' }))
    return sources.of(madeUpTarget({ instances, benchmark: { cluster } }).spec.benchmark)
  }
  const [patients, notes] = [await of('patient'), await of('note')]
  expect(patients.get('id0')).toBe(sourceName('patient', 'ann'))
  expect(notes.get('id0')).toBe(sourceName('note', 'ann'))
})

test('Grades by each instance’s own rubric are not summed up as a jury’s scores: nothing of them is read.', async () => {
  const { env } = await madeUpRun(() => textReply('a'))
  const target = madeUpTarget({ instances: INSTANCES, judges: ['one'] })
  const { benchmark } = target.spec
  const { jury } = benchmark
  if (jury === undefined) throw new Error('no jury')
  const graded = {
    ...benchmark,
    jury: { ...jury, grading: { style: 'health-bench' as const } },
  }
  const summaryOf = (own: typeof benchmark) =>
    judgedSummary(
      { target: { ...target, spec: { ...target.spec, benchmark: own } }, digest: 'x' as Digest<'record'> },
      env,
      () => Promise.reject(new Error('read')),
    )
  expect(await summaryOf(graded)).toBeUndefined()
  await expect(summaryOf(benchmark)).rejects.toThrow('read')
})
