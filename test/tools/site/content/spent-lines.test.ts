import { expect, test } from 'vitest'
import { spentLines } from '../../../../tools/site/content/spent-lines.ts'
import { usageOf } from '../../../rig/model-calls.ts'

const PRICES = new Map([
  ['m/a', { input: 2, output: 4 }],
  ['j/x', { input: 3, output: 1 }],
])

test('A run’s model comes first, then its judges, each at its own deployment’s price; who was not asked is left out.', () => {
  const judges = {
    one: { ...usageOf({ calls: 2, inputTokens: 2e6, outputTokens: 1e6 }), deployment: 'j/x' },
    idle: { ...usageOf(), deployment: 'j/x' },
    free: { ...usageOf({ calls: 3, unknown: 1, inputTokens: 10, seconds: 6 }), deployment: 'j/x' },
  }
  const own = usageOf({ calls: 4, inputTokens: 1e6, outputTokens: 5e5, seconds: 8, untimed: 1 })
  expect(spentLines({ ...own, judges }, 'm/a', (name) => PRICES.get(name))).toEqual([
    { deployment: 'm/a', calls: 4, inputTokens: 1e6, outputTokens: 5e5, seconds: 8, timed: 3, usd: 4 },
    {
      judge: 'one',
      deployment: 'j/x',
      calls: 2,
      inputTokens: 2e6,
      outputTokens: 1e6,
      seconds: 0,
      timed: 0,
      usd: 7,
    },
    {
      judge: 'free',
      deployment: 'j/x',
      calls: 3,
      inputTokens: null,
      outputTokens: null,
      seconds: 6,
      timed: 3,
      usd: null,
    },
  ])
})
