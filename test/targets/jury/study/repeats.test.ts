import { describe, expect, test } from 'vitest'
import { measureRepeats as measure, type JudgeVerdict } from '../../../../targets/jury/study/repeats.ts'

const verdict = (accuracy: number, clarity = accuracy): JudgeVerdict =>
  new Map([
    ['accuracy', accuracy],
    ['clarity', clarity],
  ])

/** Each answer of another instance. */
const measureRepeats = (answers: readonly (readonly JudgeVerdict[])[]) =>
  measure(answers.map((verdicts, at) => ({ source: `instance ${at}`, verdicts })))

describe('stability of a judge', () => {
  test('is full where every repeat gives the same', () => {
    const found = measureRepeats([
      [verdict(3, 4), verdict(3, 4), verdict(3, 4)],
      [verdict(5), verdict(5), verdict(5)],
    ])
    expect(found).toEqual({
      answers: 2,
      compared: 2,
      unreadable: 0,
      identical: 1,
      sd: 0,
      maxChange: 0,
      icc: { value: 1 },
      alpha: 1,
      means: [4.25, 4.25, 4.25],
    })
  })

  test('is full where means of equal verdicts are no exact numbers', () => {
    // Three times 1.1 add up to a little more than 3.3.
    const equal = (score: number) => Array.from({ length: 3 }, () => verdict(score))
    expect(measureRepeats([1.1, 2.3, 0.7, 4.9].map(equal)).icc).toEqual({ value: 1 })
    expect(measureRepeats([1.1, 1.1, 1.1, 1.1].map(equal))).not.toHaveProperty('icc')
  })

  test('is measured in shares, points and correlations', () => {
    const found = measureRepeats([
      [verdict(1), verdict(2)],
      [verdict(3), verdict(3)],
      [verdict(5, 3), verdict(3, 5)],
      [verdict(5), verdict(4)],
    ])
    expect(found.identical).toBe(1 / 4)
    // Means within the answers: 1 and 2, 3 and 3, 4 and 4, 5 and 4: variances 1/2, 0, 0, 1/2.
    expect(found.sd).toBeCloseTo(0.5, 12)
    expect(found.maxChange).toBe(2)
    // Mean squares by hand: 7/2 between the answers, 1/4 within.
    expect(found.icc?.value).toBeCloseTo((7 / 2 - 1 / 4) / (7 / 2 + 1 / 4), 12)
    expect(found.icc?.interval?.low).toBeLessThan(found.icc?.value ?? 0)
    expect(found.means).toEqual([3.25, 3.25])
  })

  test('counts replies that could not be read, and compares what is left', () => {
    const found = measureRepeats([
      [verdict(1), undefined, verdict(4)],
      [undefined, undefined, verdict(2)],
      [verdict(2), verdict(2), verdict(2)],
    ])
    expect(found).toMatchObject({ answers: 3, compared: 2, unreadable: 3, identical: 0.5, maxChange: 3 })
    expect(found.means).toEqual([2, 2, 2])
    expect(found).not.toHaveProperty('icc')
  })

  test('a criterion more or less is a difference, though no change in points', () => {
    const found = measureRepeats([[verdict(2), new Map([['accuracy', 2]])]])
    expect(found).toMatchObject({ identical: 0, maxChange: 0, sd: 0 })
    expect(measureRepeats([[verdict(2), verdict(2), verdict(3)]]).identical).toBe(0)
  })

  test('takes the variance within an answer over as many as were read, and changes of shared criteria', () => {
    // Means 1, 2 and 3: variance 1; the other answer has one verdict and says nothing.
    const found = measureRepeats([
      [verdict(1), verdict(2), verdict(3)],
      [verdict(5), undefined, undefined],
    ])
    expect(found).toMatchObject({
      compared: 1,
      unreadable: 2,
      identical: 0,
      sd: 1,
      maxChange: 2,
      means: [1, 2, 3],
    })
    const apart = measureRepeats([
      [
        new Map([
          ['accuracy', 1],
          ['tone', 2],
        ]),
        new Map([
          ['accuracy', 4],
          ['clarity', 5],
        ]),
      ],
    ])
    expect(apart).toMatchObject({ identical: 0, maxChange: 3 })
    // A criterion that one verdict lacks says nothing of how far it moved.
    const between = new Map([['accuracy', 2]])
    expect(measureRepeats([[verdict(1, 1), between, verdict(1, 5)]]).maxChange).toBe(1)
    const renamed = measureRepeats([[new Map([['accuracy', 1]]), new Map([['clarity', 1]])]])
    expect(renamed).toMatchObject({ identical: 0, maxChange: 0, sd: 0 })
    // One answer, or one asking, tells no correlation; answers that never move and differ have the full one.
    expect(measureRepeats([[verdict(1), verdict(2)]])).not.toHaveProperty('icc')
    expect(measureRepeats([[verdict(1)], [verdict(2)]])).not.toHaveProperty('icc')
    expect(
      measureRepeats([
        [verdict(1), verdict(1)],
        [verdict(2), verdict(2)],
      ]).icc,
    ).toEqual({ value: 1 })
  })

  test('says nothing where nothing can be compared, or no answer differs from another', () => {
    expect(measureRepeats([])).toEqual({ answers: 0, compared: 0, unreadable: 0, means: [] })
    const same = measureRepeats(
      Array.from({ length: 7 }, () => [verdict(3, 4), verdict(3, 4), verdict(3, 4)]),
    )
    expect(same).not.toHaveProperty('icc')
    expect(same).not.toHaveProperty('alpha')
  })

  test('is known less well where the same questions stand behind several answers', () => {
    const answers = Array.from({ length: 60 }, (_, at) => {
      const level = 1 + (Math.floor(at / 6) % 4)
      return [verdict(level), verdict(level + (at % 12 < 6 ? 0 : 1))]
    })
    const width = (sourceOf: (at: number) => string): number => {
      const { icc } = measure(answers.map((verdicts, at) => ({ source: sourceOf(at), verdicts })))
      return (icc?.interval?.high ?? NaN) - (icc?.interval?.low ?? NaN)
    }
    expect(width((at) => `${Math.floor(at / 6)}`)).toBeGreaterThan(1.5 * width(String))
    expect(width((at) => `z${9 - Math.floor(at / 6)}`)).toBe(width((at) => `${Math.floor(at / 6)}`))
    expect(width(() => 'one patient')).toBeNaN()
  })
})
