import { expect, test } from 'vitest'
import type { CalibratedModel } from '../../../targets/jury/study/calibrate.ts'
import { calibrationText } from '../../../tools/jury/format-calibration.ts'

const MODEL: CalibratedModel = {
  run: 'r',
  model: 'm',
  labels: 8,
  unlabelled: 16,
  raw: 3,
  value: 2.5,
  interval: { low: 2, high: 3 },
  lambda: 1,
  correlation: 0.5,
  unexplained: 1,
  sample: 'random',
}
const textOf = (...models: readonly Partial<CalibratedModel>[]): string =>
  calibrationText({
    benchmark: 'b',
    scale: [1, 5],
    models: models.map((model) => ({ ...MODEL, ...model })),
    pairs: [],
  })

test('Scores that rest on labels as on a random draw say so, and no others.', () => {
  const taken = 'Labels that no plan drew are taken as a random draw'
  expect(textOf({ sample: 'planned' }, {})).toContain(taken)
  for (const model of [{ sample: 'planned' }, { labels: 0 }, { unlabelled: 0 }] as const)
    expect(textOf(model)).not.toContain(taken)
})
