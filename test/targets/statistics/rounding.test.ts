import { describe, expect, test } from 'vitest'
import { pearson } from '../../../targets/statistics/agreement/correlation.ts'
import {
  intraclassCorrelation,
  type IccForm,
} from '../../../targets/statistics/agreement/intraclass-correlation.ts'
import { gStudy } from '../../../targets/statistics/judges/g-study.ts'
import { reaches, squaresOf } from '../../../targets/statistics/mean.ts'
import { publishedAgreement } from '../../../targets/jury/published-agreement.ts'

/** Means of whole scores whose sums round: thirds, and tenths as rubrics weigh them. */
const ROUNDED = [0.1, 0.7, 11 / 3, 3.7, 4.1, 13 / 3] as const
const SIZES = [3, 6, 7, 10, 12] as const
const CASES = ROUNDED.flatMap((score) => SIZES.map((answers) => [score, answers] as const))
const rows = <T>(answers: number, row: (answer: number) => T): readonly T[] =>
  Array.from({ length: answers }, (_, answer) => row(answer))

describe.each(CASES)('Scores of %d to every one of %d answers', (score, answers) => {
  test('have no spread, and no correlation with anything.', () => {
    const same = rows(answers, () => score)
    expect(squaresOf(same)).toBe(0)
    expect(squaresOf(same.with(0, score * (1 + 1e-15)))).toBe(0)
    expect(squaresOf(same.with(0, score * 1.001))).toBeGreaterThan(0)
    const other = rows(answers, (answer) => answer)
    expect(pearson(same, other)).toBeNaN()
    const pairs = rows(answers, (answer) => ({ a: score, b: answer, weight: 1 }))
    expect(publishedAgreement(pairs, 'text', 0.95)).toBeNull()
  })

  test('tell no ICC where every rater gave them, and a full one where raters differ by leniency alone.', () => {
    const same = rows(answers, () => [score, score, score])
    for (const form of ['ICC1', 'ICC3k'] satisfies IccForm[])
      expect(intraclassCorrelation(same, form).value).toBeNaN()
    const lenient = rows(answers, (answer) => [score + answer, score + answer + 1])
    expect(intraclassCorrelation(lenient, 'ICC3k')).toMatchObject({ value: 1, f: Infinity, p: 0 })
    expect(intraclassCorrelation(lenient, 'ICC3k')).not.toHaveProperty('interval')
  })

  test('owe nothing to the answers, so that no number of judges tells these apart.', () => {
    const same = gStudy(
      rows(answers, () => [[score], [score], [score]]),
      0.8,
    )
    expect(same.components).toEqual({ answer: 0, judge: 0, answerJudge: 0, repeat: null })
    expect(same).toMatchObject({
      judgesNeeded: null,
      dStudy: same.dStudy.map(() => ({ relative: null, absolute: null })),
    })
    const lenient = gStudy(
      rows(answers, () => [[score], [score + 1]]),
      0.8,
    )
    expect(lenient.components).toMatchObject({ answer: 0, answerJudge: 0 })
    expect(lenient.components.judge).toBeCloseTo(0.5, 9)
    expect(lenient.judgesNeeded).toBeNull()
    expect(lenient.dStudy.every(({ relative, absolute }) => relative === null && absolute === 0)).toBe(true)
  })
})

test('A reliability that so many judges just reach takes no further one for its last digits.', () => {
  const scores = [
    [2, 2],
    [2, 1],
    [3, 5],
  ]
  const { components, judgesNeeded } = gStudy(
    scores.map((row) => row.map((score) => [score])),
    0.8,
  )
  const { answer, answerJudge } = components
  // 4/5, which is formed a digit below.
  expect(answer / (answer + answerJudge / 4)).toBeLessThan(0.8)
  expect(judgesNeeded).toBe(4)
})

test('Means of three criteria reach what lies between them in thirds.', () => {
  for (let sum = 3; sum <= 12; sum += 1) {
    const points = (sum + 3) / 3 - sum / 3
    expect(reaches(points, 1) && reaches(1, points)).toBe(true)
    expect(reaches((sum + 2) / 3 - sum / 3, 1)).toBe(false)
    expect(reaches(1, (sum + 4) / 3 - sum / 3)).toBe(false)
  }
})
