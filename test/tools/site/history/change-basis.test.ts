import { expect, test } from 'vitest'
import { digestOf, type Digest } from '../../../../cache/values/digest.ts'
import { withClusters } from '../../../../targets/runs/instance-vector.ts'
import { basisOf } from '../../../../tools/site/history/diff-releases.ts'
import { withRuns, type FilledScenario } from '../../../../tools/site/history/packed-runs.ts'
import { KnownQuestions, valuedInstances } from '../../../../tools/site/history/run-values.ts'
import type { Snapshot } from '../../../../tools/site/history/snapshot.ts'
import { cellOf, modelOf, snapshotOf } from './made-up-snapshot.ts'

const KNOWN = new KnownQuestions()

/** An instance by its id, what it asks and its value; `reply`: what came of it where that could not be read. */
type Told = readonly [
  id: string,
  asked: string,
  value: number,
  more?: { source?: string; reply?: string; right?: string },
]

const runOf = (scenario: string, told: readonly Told[], areMeans = false): FilledScenario => ({
  scenario,
  rows: digestOf(JSON.stringify(told)),
  areMeans,
  values: valuedInstances(
    told.map(([id, asked, , more]) => ({
      id,
      split: 'test' as const,
      digest: digestOf<'text'>(`${asked} ${more?.right}`) as string as Digest<'instance'>,
      body: () => ({ references: [{ text: more?.right ?? `of ${id}`, tags: ['correct'] }] }),
    })),
    // The vector has an order of its own.
    withClusters(
      {
        ids: told.map(([id]) => id).toReversed(),
        values: Float64Array.from(told, ([, , value]) => value).toReversed(),
      },
      new Map(told.flatMap(([id, , , more]) => (more?.source ? [[id, more.source]] : []))),
    ),
    {
      known: KNOWN,
      resultsById: () =>
        new Map(told.flatMap(([id, , , more]) => (more?.reply ? [[id, digestOf(more.reply)]] : []))),
    },
  ),
})

const CELL = cellOf(0.5, { n: 1 })

const releaseOf = (runs: readonly FilledScenario[] | undefined, data = 'd'): Promise<Snapshot> =>
  withRuns(snapshotOf(['x'], [modelOf('m', [{ ...CELL, data }, null])], 3), (_, { deployment, benchmark }) =>
    Promise.resolve(deployment === 'm' && benchmark === 'x' ? runs : []),
  )

const basis = (a: Snapshot, b: Snapshot, isClosed = false) => {
  const [before, now] = [a.models[0]?.cells[0] ?? CELL, b.models[0]?.cells[0] ?? CELL]
  return basisOf({ benchmark: 'x', before, now }, { before: a, now: b, isClosed })
}

const between = async (
  before: readonly FilledScenario[] | undefined,
  now: readonly FilledScenario[] | undefined,
  data: readonly [string, string] = ['d', 'd'],
) => basis(await releaseOf(before, data[0]), await releaseOf(now, data[1]))

const first = runOf('x', [
  ['1', 'one', 0],
  ['2', 'two', 1],
  ['3', 'three', 0.5],
])

test('Scores of two releases are held against each other on the instances of both, whatever a run is called', async () => {
  const later = runOf('x:renamed', [
    ['2', 'two', 0],
    ['4', 'four', 0],
    ['5', 'five', 0],
    ['1', 'one', 1],
  ])
  expect(await between([first], [later])).toMatchObject({
    runs: [{ benchmark: 'x', a: [0, 1], b: [1, 0], areMeans: false }],
    asked: 4,
  })
  expect(await between([later], [first])).toMatchObject({ runs: [{ a: [0, 1], b: [1, 0] }], asked: 4 })
})

test('The same answers are told as the same, other runs beside them are not', async () => {
  const other = runOf('y', [['1', 'one', 0]])
  expect(await between([first, other], [other, first])).toBe('same')
  expect(await between([first], [first, other])).toMatchObject({ runs: [{ a: [0, 1, 0.5] }], asked: 4 })
  expect(await between([first, other], [first, runOf('y', [['1', 'one', 1]])])).toMatchObject({
    runs: [{ alike: new Set([0, 1, 2]) }, { b: [1] }],
  })
})

test('Of several runs those of one name are a pair, and their rows one source each', async () => {
  const changed = runOf('y', [['1', 'one', 1]], true)
  const found = await between(
    [first, runOf('y', [['1', 'one', 0]])],
    [changed, runOf('x', [['2', 'two', 0]])],
  )
  expect(found).toMatchObject({
    runs: [
      { a: [1], b: [0], areMeans: false, sources: [expect.stringContaining('2')] },
      { a: [0], b: [1], areMeans: true, sources: [expect.stringContaining('1')] },
    ],
    asked: 4,
  })
  expect(await between([first, changed], [runOf('z', [['1', 'one', 1]])])).toEqual({
    reason: 'no instance in common',
  })
})

test('Instances asked in other words are known by their ids alone where the data are the same', async () => {
  const reworded = runOf('x', [
    ['1', 'One?', 1],
    ['2', 'Two?', 1],
    ['3', 'Three?', 1],
  ])
  expect(await between([first], [reworded])).toMatchObject({ runs: [{ a: [0, 1, 0.5], b: [1, 1, 1] }] })
  expect(await between([first], [reworded], ['d', 'e'])).toEqual({ reason: 'no instance in common' })
  // One right answer in ten is another one, of the same question.
  const ten = (asked: string, right: string): FilledScenario =>
    runOf('x', [
      ['0', `${asked} 0`, 1, { right }],
      ...Array.from({ length: 9 }, (_, at): Told => [`${at + 1}`, `${asked} ${at + 1}`, at / 8]),
    ])
  expect(await between([ten('Is it', 'no')], [ten('Can it be', 'yes')])).toMatchObject({
    runs: [{ a: Array.from({ length: 9 }, (_, at) => at / 8) }],
  })
})

test('Sources and replies that could not be read are known again, and stand for no value', async () => {
  const of = (value: number) =>
    runOf('x', [
      ['1', 'one', value, { source: 'ann' }],
      ['2', 'two', NaN, { source: 'ann', reply: 'I refuse.' }],
      ['3', 'three', NaN, { reply: `${value}` }],
    ])
  const found = await between([of(0)], [of(1)])
  const ann = expect.stringMatching(/^source [0-9a-f]{16}$/)
  expect(found).toMatchObject({
    runs: [{ a: [0, NaN, NaN], b: [1, NaN, NaN], sources: [ann, ann, expect.stringContaining('3')] }],
  })
  expect(typeof found === 'object' && 'runs' in found && found.runs[0]?.alike).toEqual(new Set([1]))
})

test('A side that tells no values is named', async () => {
  const { values: _, ...silent } = first
  const changed = runOf('x', [['1', 'one', 1]])
  const [none, told] = [{ reason: 'no values before' }, { reason: 'no values now' }]
  expect(await between(undefined, [first])).toEqual(none)
  expect(await between([{ ...silent, rows: 'r' }], [first])).toEqual(none)
  expect(await between([first], [])).toEqual(told)
  expect(await between([changed], [silent])).toEqual(told)
  const torn = await releaseOf([changed])
  const lists = torn.instances ?? []
  const cut = { ...torn, instances: lists.map((list) => ({ ...list, ids: [...list.ids, '2'] })) }
  expect(basis(cut, await releaseOf([first]))).toEqual(none)
})

test('A release holds once the list of instances that its runs share', async () => {
  const of = (value: number) => runOf('x', [['1', 'one', value]])
  const release = await releaseOf([of(0), of(1), first])
  expect(release.instances?.map(({ ids }) => ids)).toEqual([['1'], ['1', '2', '3']])
  expect(release.models[0]?.cells[0]?.runs?.map(({ told }) => told?.instances)).toEqual([0, 0, 1])
  expect(release.models[0]?.cells[1]).toBeNull()
  const again = await withRuns(release, () => Promise.resolve([first, of(1)]))
  const told = again.models[0]?.cells[0]?.runs?.map(
    (run) => again.instances?.[run.told?.instances ?? -1]?.ids,
  )
  expect(told).toEqual([['1', '2', '3'], ['1']])
  expect(await releaseOf(undefined)).not.toHaveProperty('instances')
})

test('Of what is not public no pair is formed beside which few instances would be told by themselves', async () => {
  const asked = (from: number, to: number, value = 1) =>
    releaseOf([
      runOf('x', Array.from({ length: to }, (_, at) => [`${at}`, `q${at}`, value] as const).slice(from)),
    ])
  const all = await asked(0, 20)
  const few = { reason: 'it would tell what few instances scored' }
  expect(basis(all, await asked(0, 30), true)).toEqual(few)
  expect(basis(all, await asked(0, 19), true)).toEqual(few)
  expect(basis(all, await asked(10, 60), true)).toEqual(few)
  expect(basis(all, await asked(0, 31), true)).toMatchObject({ asked: 31 })
  expect(basis(all, await asked(0, 20, 0), true)).toMatchObject({ asked: 20 })
  expect(basis(all, await asked(0, 21))).toMatchObject({ asked: 21 })
})
