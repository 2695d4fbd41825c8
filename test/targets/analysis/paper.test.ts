import { expect, test } from 'vitest'
import { benchmarkKey, paperTables } from '../../../targets/analysis/paper.ts'
import { SHARE, type ScoreColumn } from '../../../targets/analysis/score-table.ts'
import type { Rating } from '../../../targets/jury/study/ratings.ts'

const column = (benchmark: string, category: string, values: readonly (number | null)[]): ScoreColumn => ({
  benchmark,
  category,
  scale: SHARE,
  lowerIsBetter: false,
  values,
})

const tablesOf = (columns: readonly ScoreColumn[], ratings: readonly Rating[] = []) =>
  paperTables({ models: ['a', 'b', 'c'], columns }, { ratings, costs: [] })

test('The paper’s tables leave two benchmarks out and name them, and give a category its least and greatest mean', () => {
  const { benchmarks, leftOut, categories, standings } = tablesOf([
    column('MedQA', 'Decision', [1, 0, 0]),
    column('x', 'Decision', [0.2, 0.4, 0.3]),
    column('y', 'Decision', [0.4, 0.8, 0.6]),
    column('z', 'Notes', [0.9, 0.1, 0.5]),
    column('Med-MCQA', 'Notes', [1, 0, 0]),
    column('w', 'Admin', [0.5, null, 0.1]),
  ])
  expect([benchmarks, leftOut]).toEqual([4, ['MedQA', 'Med-MCQA']])
  expect(categories).toEqual([
    { category: 'Decision', benchmarks: 2, low: expect.closeTo(0.3, 12), high: expect.closeTo(0.6, 12) },
    { category: 'Notes', benchmarks: 1, low: 0.1, high: 0.9 },
    { category: 'Admin', benchmarks: 1, low: null, high: null },
  ])
  // a wins nothing on x and y, and every match on z and w.
  expect(standings.find(({ model }) => model === 'a')?.winRate).toBe(0.5)
})

test('What of the paper’s tables cannot be given is said, and what is there is not', () => {
  const about = (columns: number, ratings: readonly Rating[]): readonly string[] =>
    tablesOf(
      Array.from({ length: columns }, (_, at) => column(`b${at}`, 'c', [0, 1, 1])),
      ratings,
    ).reasons.map((reason) => `${reason.table} ${reason.about}`)
  const rated = (benchmark: string, metrics: ReadonlyMap<string, number>, rater = 'ann'): Rating => ({
    rater,
    benchmark,
    instance: 'i',
    model: 'a',
    scores: [3],
    jury: [4],
    metrics,
  })
  const rouge = new Map([['rouge_l', 0.5]])
  expect(about(35, [])).toEqual(['1 last digits', '1 category ranges', '2 aci_bench', '2 medi_qa', '3 all'])
  expect(about(34, [rated('aci_bench', rouge), rated('own', rouge)])).toEqual([
    '1 last digits',
    '1 benchmarks',
    '2 medi_qa',
    '2 own',
    '3 all',
  ])
  expect(about(34, [rated('aci_bench', new Map()), rated('medi_qa', new Map())])).toContain(
    '2 ROUGE-L, BERTScore-F1',
  )
})

test('The second table holds each metric’s ICC with clinicians, as the paper’s script forms it', () => {
  const ratings = [1, 3, 5].map((score): Rating => ({
    rater: 'ann',
    benchmark: 'aci_bench',
    instance: `i${score}`,
    model: 'a',
    scores: [score],
    jury: [score],
    metrics: new Map([['rouge_l', score / 10]]),
  }))
  const [row] = tablesOf([column('x', 'c', [0, 1, 1])], ratings).agreement
  // Each value with its z-score, halved: 0, 1.5, 3 of clinicians, −.45, .15, .75 of the metric. Of steps a and b: 4ab/(a + b)².
  expect(row?.metrics).toEqual([{ name: 'rouge_l', icc: expect.closeTo((4 * 1.5 * 0.6) / 2.1 ** 2, 12) }])
})

test('A benchmark that no catalog knows goes by its letters and digits, or as it is where it has none', () => {
  expect(benchmarkKey('MTSamples Replicate', { name: 'mtsamples' })).toBe('mtsamples')
  expect(benchmarkKey('Our Notes-2', undefined)).toBe('ournotes2')
  expect(benchmarkKey('问答', undefined)).toBe('问答')
})
