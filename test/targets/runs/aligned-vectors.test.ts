import { expect, test } from 'vitest'
import { alignVectors, bothValues, commonPlaces, ownValues } from '../../../targets/runs/aligned-vectors.ts'

const A = {
  ids: ['a', 'b', 'c'],
  values: Float64Array.of(1, 2, 3),
  clusters: ['source x', 'source x', 'id c'],
}
const B = { ids: ['d', 'c', 'b'], values: Float64Array.of(4, NaN, 6) }

test('Two runs are held side by side on what both were asked, each value beside the source of its instance.', () => {
  const aligned = alignVectors([A, B, undefined], 'notes')
  const both = bothValues(aligned, 0, 1)
  expect(both?.values.map((own) => [...own])).toEqual([
    [2, 3],
    [6, NaN],
  ])
  expect(both?.sources).toEqual(['source x', 'id notes c'])
  const own = ownValues(aligned, 1)
  expect([[...(own?.values ?? [])], own?.sources]).toEqual([
    [6, NaN, 4],
    ['source x', 'id notes c', 'id notes d'],
  ])
  expect([ownValues(aligned, 2), bothValues(aligned, 0, 2)]).toEqual([undefined, undefined])
  expect(commonPlaces(aligned)).toEqual([1])
})

test('A run that was asked part of another’s instances is held against it on these.', () => {
  const aligned = alignVectors([A, { ids: ['c', 'b'], values: Float64Array.of(NaN, 6) }])
  const both = (left: number, right: number) =>
    bothValues(aligned, left, right)?.values.map((own) => [...own])
  expect(both(0, 1)).toEqual([
    [2, 3],
    [6, NaN],
  ])
  expect(both(1, 0)).toEqual([
    [6, NaN],
    [2, 3],
  ])
})

test('Runs that share no instance are not compared, and a run of no instance tells of no source.', () => {
  const apart = alignVectors([A, { ids: ['z'], values: Float64Array.of(1) }])
  expect(bothValues(apart, 0, 1)).toBeUndefined()
  const empty = { ids: [], values: new Float64Array(0), clusters: [] }
  expect(alignVectors([empty, B])).not.toHaveProperty('sources')
})
