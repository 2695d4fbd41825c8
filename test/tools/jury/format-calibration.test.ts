import { expect, test } from 'vitest'
import type { CalibratedModel } from '../../../targets/jury/study/calibrate.ts'
import { biasText, calibrationText } from '../../../tools/jury/format-calibration.ts'

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
  raters: 1,
  sample: 'random',
}
const textOf = (...models: readonly Partial<CalibratedModel>[]): string =>
  calibrationText({
    benchmark: 'b',
    scale: [1, 5],
    models: models.map((model) => ({ ...MODEL, ...model })),
    pairs: [],
  })

test('What a planned sample is worth stands below it, and ranks where each model has twenty labels.', () => {
  const range = { low: 2.25, high: 2.75 }
  const planned: Partial<CalibratedModel> = {
    sample: 'planned',
    labels: 20,
    raters: 6,
    onThese: range,
    facts: {
      people: { value: 2.4, interval: { low: 1.8, high: 3 }, onThese: { low: 2.1, high: 2.7 } },
      saved: 7,
      bias: { value: 0.5, interval: { low: 0.25, high: 0.75 } },
      likeRaters: { low: 1.5, high: 3.5 },
      more: { byStratum: [1, 19], share: 0.5, labels: 20, halfWidth: 0.125 },
    },
  }
  const text = textOf(planned, { ...planned, value: 2.6 })
  for (const part of [
    'alone 2.250 to 2.750, ± 0.250; clinicians alone, within the same strata, ± 0.300: the jury saves 7 labels',
    'like these ± 0.500, clinicians alone ± 0.600; by these raters, by raters like these ± 1.000',
    'jury 0.500 too kind on these answers (0.250–0.750)',
    '20 labels more, 1 + 19 by stratum (Neyman), would give ± 0.125',
    '# is by the calibrated score',
  ])
    expect(text).toContain(part)
  expect(text).toMatch(/^ +2 +m +20 +6/m)
  // The scale's end cuts one side: the other one tells how far it reaches.
  expect(textOf({ ...planned, value: 4.75, onThese: { low: 4.25, high: 5 } })).toContain('5.000, ± 0.500;')
  expect(textOf(planned, { ...planned, labels: 19 })).not.toContain('# is by')
  expect(biasText({ value: -0.5, interval: { low: -0.75, high: 0.1 } })).toBe(
    'jury 0.500 too strict on these answers (−0.100 to 0.750)',
  )
})

test('Scores that rest on labels as on a random draw say so, and no others.', () => {
  const taken = 'Labels that no plan drew are taken as a random draw'
  expect(textOf({ sample: 'planned' }, {})).toContain(taken)
  for (const model of [{ sample: 'planned' }, { labels: 0 }, { unlabelled: 0 }] as const)
    expect(textOf(model)).not.toContain(taken)
})

test('Labels that are needed are a number, more than there are, or not known of a model with fewer than two.', () => {
  const lines = textOf(
    { model: 'a', labelsNeeded: 35 },
    { model: 'b', labels: 2, labelsNeeded: null },
    { model: 'c' },
    { model: 'd', labels: 1, labelsNeeded: null },
  ).split('\n')
  const needed = ['a', 'b', 'c', 'd'].map((model) =>
    lines.find((line) => line.trim().startsWith(`${model} `))?.replace(/.* {2,}/, ''),
  )
  expect(needed).toEqual(['35', 'more than there are', 'more than there are', 'not known yet'])
})

test('What calibrated scores leave out is told of the models that leave something out.', () => {
  const text = textOf(
    {
      model: 'a',
      outside: 2,
      uncovered: 1,
      verdicts: { raw: 0.75, estimate: null, low: null, high: null, reason: 'none wrong' },
    },
    { model: 'b', outside: 0, uncovered: 0, verdicts: { raw: 0.5, estimate: 0.4, low: 0.25, high: 0.6 } },
  )
  expect(text).toContain('  a: 2 labels left out, as not drawn by the plan')
  expect(text).toContain('  a: nothing is said of 1 answer: ')
  expect(text).not.toMatch(/ b: .*(?:left out|nothing is said)/)
  expect(text).toContain('  a: 75.0 % right by the jury, no true share: none wrong')
  expect(text).toContain('  b: 50.0 % right by the jury, true share 0.400 (0.250 to 0.600, Rogan–Gladen)')
})

test('A difference of two models stands there where it has a label', () => {
  const pair = { ...MODEL, a: 'x', b: 'y', raw: 0.5, value: -0.25, interval: { low: -0.5, high: 0.25 } }
  const textWith = (labels: number): string =>
    calibrationText({ benchmark: 'b', scale: [1, 5], models: [MODEL], pairs: [{ ...pair, labels }] })
  expect(textWith(1)).toMatch(/^ +y − x +1 +0\.500 +−0\.250 +−0\.500 to 0\.250 +1\.00$/m)
  expect(textWith(0)).not.toContain('B − A')
})
