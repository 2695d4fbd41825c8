import { expect, test } from 'vitest'
import { causeOfMiss } from '../../../targets/scheduler/explain.ts'

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
