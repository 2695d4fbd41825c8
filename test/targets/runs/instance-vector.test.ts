import { expect, test } from 'vitest'
import {
  type InstanceVector,
  sourceAt,
  withClusters,
  withIds,
} from '../../../targets/runs/instance-vector.ts'

const VECTOR: InstanceVector = { ids: ['a', 'b', 'c'], values: Float64Array.of(1, 2, 3) }

test('An instance that names no source stands for itself, also under another id, and for no source of its name.', () => {
  const known = withClusters(
    VECTOR,
    new Map([
      ['a', 'ann'],
      ['b', 'c'],
    ]),
  )
  expect([0, 1, 2].map((at) => sourceAt(known, at))).toEqual(['source ann', 'source c', undefined])
  const renamed = withIds(known, ['x', 'y', 'z'])
  expect(renamed.ids).toEqual(['x', 'y', 'z'])
  expect([0, 1, 2].map((at) => sourceAt(renamed, at))).toEqual(['source ann', 'source c', undefined])
  expect(new Set(renamed.clusters).size).toBe(3)
})

test('Where nothing shares a source none is told.', () => {
  expect(withClusters(VECTOR, new Map())).toBe(VECTOR)
  expect(withIds(VECTOR, ['x', 'y', 'z'])).not.toHaveProperty('clusters')
})
