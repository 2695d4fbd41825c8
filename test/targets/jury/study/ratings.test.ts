import { expect, test } from 'vitest'
import { csvTable } from '../../../../benchmarks/sources/csv/csv-table.ts'
import { readRatings } from '../../../../targets/jury/study/ratings.ts'
import { isOfAnswer } from '../../../../tools/ratings/rated-runs.ts'

const HEAD = 'rater,instance_id,benchmark,model,accuracy,jury_accuracy'
const RUBRIC = ['accuracy', 'tone', 'model', 'rouge_l']
const read = (column: string, ...cells: readonly string[]) =>
  readRatings(
    csvTable(
      [`${HEAD},${column}`, ...cells.map((cell, at) => `ann,${at},demo,m,4,2,${cell}`)].join('\n'),
      'strict',
      'r.csv',
    ),
    { automatic: ['rouge_l'], criteria: new Map([['demo', RUBRIC]]) },
  )

test('A criterion of the rubric beside one that the jury has is scored, but no comments, names or metrics that are called as it is', () => {
  expect(read('tone', '5', '3').map(({ scores }) => scores)).toEqual([
    [4, 5],
    [4, 3],
  ])
  expect(() => read('tone', '5', 'good')).toThrow('the cell holds no score')
  for (const [column, ...cells] of [
    ['tone', 'kind', ''],
    ['rouge_l', '0.25', ''],
  ] as const)
    expect(read(column, ...cells)).toMatchObject([
      { scores: [4], criteria: ['accuracy'], jury: [2] },
      { scores: [4], criteria: ['accuracy'], jury: [2] },
    ])
})

test('A rating of which the jury scored some criteria beside it is of an answer that has these scores', () => {
  const [rating] = read('tone', '5')
  const isOf = (accuracy: number): boolean =>
    rating !== undefined &&
    isOfAnswer(
      rating,
      {
        jury: 3,
        juryBy: new Map([
          ['accuracy', accuracy],
          ['tone', 5],
        ]),
      },
      undefined,
    )
  expect([isOf(2), isOf(4)]).toEqual([true, false])
  expect(rating?.jury).toEqual([])
})
