import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { csvTable } from '../../../benchmarks/sources/csv-table.ts'
import { ProblemError } from '../../../cache/problem.ts'
import { measureAgreement } from '../../../targets/jury/agreement.ts'
import { readRatings, type Rating } from '../../../targets/jury/ratings.ts'
import { shared } from '../../rig/shared.ts'

const HEADER = 'rater,instance_id,benchmark,model,accuracy,clarity,jury_accuracy,jury_clarity'
const parse = (...lines: readonly string[]): readonly Rating[] =>
  readRatings(csvTable([HEADER, ...lines].join('\n'), 'strict', 'ratings.csv'))

const problemOf = (...lines: readonly string[]) => {
  try {
    parse(...lines)
  } catch (error) {
    if (error instanceof ProblemError) return error.problems[0]
  }
  return undefined
}

describe('a table of ratings', () => {
  test('gives scores by criterion, those of the clinician and of the jury', () => {
    expect(parse('r1,7,demo,m,4,5,4.5,5')).toEqual([
      { rater: 'r1', benchmark: 'demo', item: '["7","m"]', scores: [4, 5], jury: [4.5, 5] },
    ])
  })

  test.each([
    ['an empty cell', ['r1,7,demo,m,4,,4,5'], 'targets/empty-rating', { row: 1, field: 'clarity' }],
    [
      'a word',
      ['r1,7,demo,m,4,5,4,5', 'r1,8,demo,m,good,5,4,5'],
      'targets/rating-not-a-number',
      { row: 2, field: 'accuracy' },
    ],
    [
      'a score of NaN',
      ['r1,7,demo,m,nan,5,4,5'],
      'targets/rating-not-a-number',
      { row: 1, field: 'accuracy' },
    ],
    [
      'a rating given twice',
      ['r1,7,demo,m,4,5,4,5', 'r1,7,demo,m,4,5,4,5'],
      'targets/repeated-rating',
      { row: 2 },
    ],
    [
      'a jury that contradicts itself',
      ['r1,7,demo,m,4,5,4,5', 'r2,7,demo,m,4,5,4,4'],
      'targets/contradicting-jury',
      { row: 2 },
    ],
  ])('with %s is refused with file, row and column', (_, lines, code, where) => {
    const problem = problemOf(...lines)
    expect(problem?.code).toBe(code)
    expect(problem?.where).toMatchObject({ file: 'ratings.csv', ...where })
  })

  test('without a name or a criterion is refused', () => {
    const without = (header: string) => () => readRatings(csvTable(`${header}\n`, 'strict', 'ratings.csv'))
    expect(without('rater,instance_id,benchmark,accuracy,jury_accuracy')).toThrow(/"model"/)
    expect(without('rater,instance_id,benchmark,model,accuracy')).toThrow(/no criterion/)
  })
})

test('raters who agree fully have an ICC of 1 without an interval, and answers rated once leave the baseline open', () => {
  const [found] = measureAgreement(parse('r1,1,demo,m,2,2,2,2', 'r1,2,demo,m,3,3,3,3', 'r2,3,demo,m,5,5,5,5'))
  expect(found).toMatchObject({
    name: 'demo',
    raters: 2,
    ratings: 3,
    jury: { items: 3, icc: { value: 1 }, spearman: { value: 1, p: 0 }, kappa: { value: 1 } },
    clinicians: { items: 0 },
  })
  expect(found?.jury.icc?.interval).toBeUndefined()
  expect(found?.alpha).toBeUndefined()
})

const files = ['medi_qa', 'mtsamples_replicate'].map((name) =>
  shared(`published/clinician-and-jury-ratings-${name}.csv`),
)

describe.skipIf(files.includes(undefined))('the ratings that MedHELM published', () => {
  const all = (): readonly Rating[] =>
    files.flatMap((file = '') => readRatings(csvTable(readFileSync(file, 'utf8'), 'strict', file)))

  test('give the published ICC: 0.625, limits 0.15 and 0.83', () => {
    const [mediQa] = measureAgreement(all())
    expect(mediQa?.name).toBe('medi_qa')
    expect(mediQa?.jury.items).toBe(25)
    expect(mediQa?.jury.icc?.value.toFixed(3)).toBe('0.625')
    // Published as (0.150, 0.830): pingouin rounds limits to two places.
    expect(mediQa?.jury.icc?.interval?.low.toFixed(2)).toBe('0.15')
    expect(mediQa?.jury.icc?.interval?.high.toFixed(2)).toBe('0.83')
  })

  test('are taken per benchmark and pooled, the same at every run', () => {
    const found = measureAgreement(all())
    expect(
      found.map(({ name, ratings, jury, clinicians }) => [name, ratings, jury.items, clinicians.items]),
    ).toEqual([
      ['medi_qa', 44, 25, 19],
      ['mtsamples_replicate', 26, 18, 8],
      ['pooled', 70, 43, 27],
    ])
    expect(measureAgreement(all())).toEqual(found)
  })
})
