import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openRunFolder, writeRun } from '../../../tools/helm/write/write-run.ts'
import { lackingOf } from '../../../tools/release/release-suites.ts'
import { releasedRun, type HiddenValues } from '../../../tools/release/released-run.ts'
import { runPath, type RunCard } from '../../../tools/release/run-card.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { sampleRun } from '../helm/sample-run.ts'
import { madeUpCard, WITHHELD } from './made-up-card.ts'

const bundle = temporaryFolder()
const { suite, name } = madeUpCard()
await writeRun(await openRunFolder(join(bundle, runPath(suite, name)), { access: 'public' }), sampleRun())

const REGISTRY = { model: () => undefined }
const released = (card: RunCard, hidden?: HiddenValues) => releasedRun(bundle, card, REGISTRY, hidden)
const groupsOf = (group: string) => [
  { name: 'sex', column: 'S', groups: [[group, ['id0']]] as [string, string[]][] },
]

describe('A run of a release', () => {
  test('has the values of its files, and the instances that its record calls lost without one.', async () => {
    const run = await released(madeUpCard({}, { lost: ['id9'] }))
    const { vector, sample, withheld } = await run.measured()
    expect([vector?.ids, [...(vector?.values ?? [])]]).toEqual([
      ['id0', 'id9'],
      [1, Number.NaN],
    ])
    expect([sample.requests, sample.found.measured, withheld]).toEqual([1, 1, undefined])
    expect(await run.coverage()).toEqual({ evaluated: 2, measured: 1, floor: 0.9 })
    expect(run.benchmark).toMatchObject({ name: 'sums', access: 'public', coverageFloor: 0.9 })
    const { instances, unread } = (await run.asked?.()) ?? {}
    expect(instances?.map(({ id }) => id)).toEqual(['id0'])
    expect(await unread?.()).toEqual(new Set(['id9']))
  })

  test('is of the model that its card names, asked at its deployment.', async () => {
    const deployment = { ...madeUpCard().deployment, deployment: 'ward/b' }
    expect((await released(madeUpCard({ deployment }))).model).toMatchObject({
      name: 'a/b',
      deployment: 'ward/b',
      displayName: 'a/b',
    })
  })

  test('knows its instances’ sources by their names, else by their place under its benchmark.', async () => {
    const sources = { by: 'patient', instances: [['id5'], ['id0', 'id1']] }
    const clusterOf = async (record: Partial<RunCard['record']>) =>
      (await (await released(madeUpCard({}, record))).measured()).vector?.clusters
    expect(await clusterOf({ sources })).toEqual(['source sums 1'])
    expect(await clusterOf({ sources: { ...sources, names: ['n5', 'n0'] } })).toEqual(['source n0'])
    expect(await clusterOf({})).toBeUndefined()
  })

  test('tells nothing of withheld values but what its record does, and what is at hand while it is made.', async () => {
    const found = {
      n: 20,
      measured: 20,
      sources: 0,
      mean: 0.5,
      bounds: null,
      interval: null,
      method: 'm',
      reason: '',
    }
    const sample = { requests: 20, found }
    const told = await released(madeUpCard({ withheld: WITHHELD }, { sample }))
    expect(await told.measured()).toEqual({ sample })
    for (const own of ['requests', 'asked', 'instanceGroups']) expect(told).not.toHaveProperty(own)
    const untold = await (await released(madeUpCard({ withheld: WITHHELD }))).measured()
    expect(untold).toMatchObject({
      sample: { requests: 1, found: { interval: null, reason: 'values are withheld' } },
    })
    const vector = { ids: ['id0'], values: Float64Array.of(1) }
    const known = { attributes: [], groups: new Map([['id0', { sex: 'f' }]]) }
    const made = await released(madeUpCard({ withheld: WITHHELD }, { sample }), { vector, known })
    expect(await made.measured()).toEqual({ sample, withheld: vector })
    expect(await made.instanceGroups?.()).toBe(known)
  })

  test('has the groups of its record, else those of its own values.', async () => {
    const known = { attributes: [], groups: new Map() }
    const hidden = { vector: { ids: [], values: Float64Array.of() }, known }
    const own = await released(madeUpCard({}, { attributes: groupsOf('f') }), hidden)
    expect(await own.instanceGroups?.()).toEqual({
      attributes: [{ name: 'sex', column: 'S' }],
      groups: new Map([['id0', { sex: 'f' }]]),
    })
    expect(await (await released(madeUpCard())).instanceGroups?.()).toEqual({
      attributes: [],
      groups: new Map(),
    })
  })

  test('has the scale of its judges where it has any.', async () => {
    const jury = { scale: { least: 1, most: 5 } } as unknown as NonNullable<RunCard['jury']>
    expect((await released(madeUpCard({ jury }))).scale).toEqual({ least: 1, most: 5 })
    expect(await released(madeUpCard())).not.toHaveProperty('scale')
  })

  test('carries the clinicians’ calibration and the judges of its record.', async () => {
    const bias = { value: 0.1, interval: { low: 0, high: 0.2 } }
    const calibrated = { value: 0.4, interval: null, labels: 12, bias }
    const judged = {
      benchmark: 'sums',
      requests: 3,
      asked: 4,
      all: { mean: 4, instances: 3 },
      without: [['one', { mean: 3.5, instances: 3 }] as [string, { mean: number; instances: number }]],
      judges: [],
    }
    const run = await released(madeUpCard({ withheld: WITHHELD }, { calibrated, judged }))
    expect((await run.measured()).calibrated).toEqual(calibrated)
    expect(await run.judged?.()).toEqual({
      run: {
        benchmark: 'sums',
        model: 'a/b',
        requests: 3,
        asked: 4,
        all: { mean: 4, instances: 3 },
        without: new Map([['one', { mean: 3.5, instances: 3 }]]),
      },
      judges: [],
    })
    expect(await (await released(madeUpCard())).judged?.()).toBeUndefined()
  })

  test('may show texts that were released by name, and shows no others.', async () => {
    const { benchmark } = madeUpCard()
    const accessOf = async (access: 'gated' | 'private', withheld: RunCard['withheld']) =>
      (await released(madeUpCard({ benchmark: { ...benchmark, access }, withheld }))).benchmark.access
    expect(await accessOf('private', null)).toBe('local')
    expect(await accessOf('gated', null)).toBe('local')
    expect(await accessOf('private', WITHHELD)).toBe('private')
  })

  test('is known by its suite and its target, whatever else its record says.', async () => {
    const sourceOf = async (more: Partial<RunCard>) => (await released(madeUpCard(more))).source
    const own = await sourceOf({})
    expect(await sourceOf({ newestCall: 1 })).toBe(own)
    expect(await sourceOf({ target: { digest: 't2', key: {} } })).not.toBe(own)
  })
})

test('A suite lacks the values of the benchmarks of which a run is withheld and not at hand.', () => {
  const hidden = { vector: { ids: [], values: Float64Array.of() }, known: undefined }
  const { benchmark } = madeUpCard()
  const cards = [
    madeUpCard(),
    madeUpCard({ name: 'ward:model=a', benchmark: { ...benchmark, name: 'ward' }, withheld: WITHHELD }),
    madeUpCard({ name: 'clinic:model=a', benchmark: { ...benchmark, name: 'clinic' }, withheld: WITHHELD }),
    madeUpCard({ suite: 'other', benchmark: { ...benchmark, name: 'else' }, withheld: WITHHELD }),
  ]
  const atHand = (own: string) => ({ ...hidden, suite: own, run: 'ward:model=a' })
  expect([...lackingOf('s', { cards, withheld: [] })]).toEqual(['ward', 'clinic'])
  expect([...lackingOf('s', { cards, withheld: [atHand('s')] })]).toEqual(['clinic'])
  expect([...lackingOf('s', { cards, withheld: [atHand('other')] })]).toEqual(['ward', 'clinic'])
})
