import { expect, test } from 'vitest'
import { runPage } from '../../../../../tools/site/pages/run/page.tsx'
import type { RunFacts } from '../../../../../tools/site/site.ts'

const facts = (score: Partial<RunFacts['score']>): RunFacts => ({
  suite: 'main',
  name: 'notes:model=m_a',
  model: { name: 'm/a', deployment: 'm/a', displayName: 'A', creator: 'm', access: 'open' },
  benchmark: {
    name: 'notes',
    displayName: 'Notes',
    access: 'private',
    mainMetric: 'jury_score',
    mainMetricLabel: 'Jury score',
  },
  score: { value: 2.842, score: 2.842, interval: null, n: 20, asked: 20, calibrated: null, ...score },
  coverage: { evaluated: 20, measured: 20, floor: 0.99, causes: {} },
  judges: [],
  spent: [],
  spec: [],
  metrics: [],
  failures: [],
  failureDetails: [],
  source: 'd',
})
const text = (score: Partial<RunFacts['score']>): string =>
  runPage(facts(score), false, { navigation: [], board: 'index.html' }).replaceAll(/<[^>]*>/g, ' ')

test("a run's page says of how many instances its n is, and what places go by where HELM's mean holds defaults", () => {
  expect(text({})).toContain('2.842, n 20 ')
  expect(text({})).not.toContain('places go by')
  const partial = text({ score: 4.1, n: 2 })
  expect(partial).toContain('2.842, n 2 of 20')
  expect(partial).toMatch(/Order and places go by\s+4\.100: the mean of what could be read in full/)
})
