import { expect, test } from 'vitest'
import { sketchSuite } from '../sketch-site.ts'

test('A metric of no sub-split is told under its split alone.', () => {
  const splits = sketchSuite().runs.flatMap(({ facts }) => facts.metrics.map(({ split }) => split))
  expect([...new Set(splits)]).toEqual(['test'])
})
