import { expect, test } from 'vitest'
import { boardRunOf } from '../../../targets/aggregate/board-runs.ts'
import { siteRun, sketchSuite } from '../sketch-site.ts'

test('A metric of no sub-split is told under its split alone.', () => {
  const splits = sketchSuite().runs.flatMap(({ facts }) => facts.metrics.map(({ split }) => split))
  expect([...new Set(splits)]).toEqual(['test'])
})

test('An answer is wrong at the worse end of right and wrong, and at none where there is more between.', () => {
  const run = boardRunOf({ values: [1, 0] })
  const wrongOf = (more: { isBinary: boolean; lowerIsBetter?: boolean }): unknown => {
    const mainMetric = { ...run.benchmark.mainMetric, ...more }
    return siteRun({ ...run, benchmark: { ...run.benchmark, mainMetric } }).facts.benchmark.wrongScore
  }
  expect(wrongOf({ isBinary: true })).toBe(0)
  expect(wrongOf({ isBinary: true, lowerIsBetter: false })).toBe(0)
  expect(wrongOf({ isBinary: true, lowerIsBetter: true })).toBe(1)
  expect(wrongOf({ isBinary: false, lowerIsBetter: true })).toBeUndefined()
})

test('A metric of several trials is told by their mean; whether it counts something, by what it is.', () => {
  const stat = (name: string, count: number, sum: number) => ({ name: { name, split: 'test' }, count, sum })
  const run = boardRunOf({ values: [1, 0] })
  const stats = [stat('exact_match', 4, 3), stat('num_instances', 2, 20), stat('f1_score', 0, 0)]
  expect(
    siteRun({ ...run, stats }).facts.metrics.map(({ name, value, isCount }) => [name, value, isCount]),
  ).toEqual([
    ['exact_match', 0.75, false],
    ['num_instances', 10, true],
  ])
})

test('Rows that are skipped or read in part are counted, and named where the texts are public.', () => {
  const row = { file: 'data.csv', row: 4, reason: 'missing-answer' } as const
  const skippedRows = { count: 1200, listed: [row], inPart: { count: 2, listed: [{ ...row, row: 9 }] } }
  const errata = { corrected: ['a', 'b'], uncorrected: ['c'] }
  const factsOf = (access: 'public' | 'private') =>
    new Map(
      siteRun(boardRunOf({ values: [1, 0], access }), undefined, { skippedRows, errata, served: [] }).facts
        .spec,
    )
  const told = factsOf('public')
  expect(told.get('Rows skipped')).toMatch(/^1.200\ndata\.csv row 4: missing answer$/)
  expect(told.get('Rows read in part')).toBe('2\ndata.csv row 9: missing answer')
  expect(told.get('Errata corrected')).toBe('a, b')
  expect(told.get('Errata not corrected')).toBe('c')
  expect(told.has('Served as')).toBe(false)
  const discreet = factsOf('private')
  expect(discreet.get('Rows skipped')).toMatch(/^1.200$/)
  expect(discreet.get('Rows read in part')).toBe('2')
})
