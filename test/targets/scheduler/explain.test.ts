import { expect, test } from 'vitest'
import { causeOfMiss, differences } from '../../../targets/scheduler/explain.ts'

test('Results are missed for their own stage, else for the nearest before it, and for a profile before all.', () => {
  const causeOf = (...paths: readonly string[]) =>
    causeOfMiss(
      'completions',
      paths.map((path) => ({ path })),
    )?.path
  expect(causeOf()).toBeUndefined()
  expect(causeOf('prompts.instructions', 'completions.temperature')).toBe('completions.temperature')
  expect(causeOf('instances[0]', 'prompts.instructions', 'metrics[0]')).toBe('prompts.instructions')
  expect(causeOf('instances.data', 'profile')).toBe('profile')
  expect(causeOf('metrics[0]', 'sampling.seed')).toBe('sampling.seed')
  expect(causeOf('metrics[0]')).toBe('metrics[0]')
})

test('Two keys differ in the fields that are not equal, each by its path; lists of two lengths as a whole.', () => {
  const before = { prompts: { a: 1, list: [1, { b: 2 }] }, stops: ['x'], gone: true }
  const after = { prompts: { a: 1, list: [1, { b: 3 }] }, stops: ['x', 'y'], come: null }
  expect(differences(before, after)).toEqual([
    { path: 'prompts.list[1].b', before: 2, after: 3 },
    { path: 'stops', before: ['x'], after: ['x', 'y'] },
    { path: 'come', after: null },
    { path: 'gone', before: true },
  ])
  expect(differences(after, after)).toEqual([])
})
