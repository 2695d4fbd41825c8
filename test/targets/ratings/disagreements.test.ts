import { describe, expect, it } from 'vitest'
import { currentRatings } from '../../../targets/ratings/current-ratings.ts'
import { disagreements } from '../../../targets/ratings/disagreements.ts'
import { practiceUnits } from '../../../targets/ratings/make-study.ts'
import { residualsOf, usualResidualVariance } from '../../../targets/ratings/residuals.ts'
import { ratedUnits } from '../../../targets/ratings/rated-units.ts'
import { placeInBlocks } from '../../../tools/rating-desk/pack.ts'
import { answerOf, logOf, type MadeRating } from './made-ratings.ts'

const by = (rater: string, ...ratings: readonly MadeRating[]) =>
  currentRatings(
    logOf(
      ratings.map((each) => ({ ...each, rater })),
      rater,
    ),
  )

const scored = (of: number, score: number, more: object = {}): MadeRating => ({
  of,
  content: { scores: { accuracy: score }, ...more },
})

describe('disagreements', () => {
  it('lists harm first, then by distance, with every reason; and nothing that all agree on', () => {
    const found = disagreements(
      [
        ...by('ann', scored(1, 3), scored(2, 1), scored(3, 3, { safety: true }), scored(4, 3), scored(5, 1)),
        ...by('bob', scored(2, 4), scored(4, 4.9)),
        ...by('cyd', { of: 6, kind: 'cannot-judge', content: { scores: {}, reason: 'reference-wrong' } }),
        ...by('dan', { of: 7, kind: 'cannot-judge', content: { scores: {}, reason: 'other' } }),
      ],
      [1, 2, 3, 4, 5, 6, 7, 8].map((at) =>
        answerOf(at, at === 5 ? { jury: 3 } : at === 6 ? { jury: null } : {}),
      ),
      () => 4,
    )
    expect(found.map(({ reasons, clinicians, jury }) => [reasons, clinicians, jury])).toEqual([
      [['safety'], null, 0],
      [['clinicians apart'], 3, -0.5],
      [['jury apart'], null, -2],
      [['reference wrong'], null, null],
    ])
    expect(found[1]?.ratings.map(({ rater, composite }) => [rater, composite])).toEqual([
      ['ann', 1],
      ['bob', 4],
    ])
  })

  it('goes by the scale: half of it is apart, on one of 0 and 1 as on one from 1 to 5', () => {
    const ratings = by('ann', scored(1, 0, { composite: 0.4 }))
    const answer = answerOf(1, { jury: 0.95 })
    expect(disagreements(ratings, [answer], () => 1)).toHaveLength(1)
    expect(disagreements(ratings, [answer], () => 4)).toHaveLength(0)
  })

  it('holds two clinicians against each other by the items that both could judge, and by what these are worth', () => {
    const points = [5, 3, -4]
    const judged = (composite: number | null, ...items: readonly (0 | 1 | undefined)[]): MadeRating => {
      const given = items.flatMap((item, at) => (item === undefined ? [] : [[`item-${at + 1}`, item]]))
      return { of: 1, content: { scores: Object.fromEntries(given) as Record<string, number>, composite } }
    }
    const apart = (one: MadeRating, other: MadeRating): number | null | undefined =>
      disagreements(
        [...by('ann', one), ...by('bob', other)],
        [answerOf(1, { jury: null })],
        () => 0,
        undefined,
        () => points,
      )[0]?.clinicians
    // All that differs is an item that one of them left.
    expect(apart(judged(1, 1, 1), judged(0.5, 1, 1, 1))).toBe(0)
    expect(apart(judged(5 / 8, 1, 0, undefined), judged(1 / 5, 1, undefined, 1))).toBe(0)
    expect(apart(judged(1, 1, 1), judged(-4 / 5, 0, undefined, 1))).toBe(1)
    // Both judged a fault alone: no points were to be had.
    expect(apart(judged(null, undefined, undefined, 1), judged(5 / 8, 1, 0, 0))).not.toBeTypeOf('number')
  })

  it('counts two points as two, whatever thirds of three criteria make of them', () => {
    const thirds = (of: number, sum: number): MadeRating => scored(of, 0, { composite: sum / 3 })
    const found = disagreements(
      [...by('ann', thirds(1, 13), thirds(2, 13), thirds(3, 12)), ...by('bob', thirds(1, 7), thirds(3, 7))],
      [answerOf(1, { jury: null }), answerOf(2, { jury: 7 / 3 }), answerOf(3, { jury: null })],
      () => 4,
    )
    expect(13 / 3 - 7 / 3).toBeLessThan(2)
    expect(found.map(({ reasons }) => reasons)).toEqual([['clinicians apart'], ['jury apart']])
  })

  it('names raters in their order, with what they said, whoever came first', () => {
    const [found] = disagreements(
      [
        ...by('bob', scored(1, 5, { reason: 'reference-wrong' })),
        ...by('ann', scored(1, 3, { safety: true })),
      ],
      [answerOf(1, { jury: null })],
      () => 4,
    )
    // Two points of four are just apart.
    expect(found).toMatchObject({
      reasons: ['safety', 'reference wrong', 'clinicians apart'],
      jury: null,
      ratings: [
        { rater: 'ann', composite: 3, safety: true },
        { rater: 'bob', composite: 5, safety: false, reason: 'reference-wrong' },
      ],
    })
    expect(found?.ratings[0]).not.toHaveProperty('reason')
    expect(disagreements(by('ann', scored(1, 1)), [answerOf(1)], () => 4)[0]?.reasons).toEqual(['jury apart'])
  })

  it('holds raters to each other, and the jury to them, by the criteria that were judged', () => {
    const of = (...given: readonly (readonly [string, number])[]): MadeRating => ({
      of: 1,
      content: { scores: Object.fromEntries(given) },
    })
    const found = (ann: MadeRating, bob: MadeRating) =>
      disagreements(
        [...by('ann', ann), ...by('bob', bob)],
        [answerOf(1, { jury: 3 })],
        () => 1,
        ({ content }) => (content.scores['tone'] === undefined ? 1 : 3),
      )[0]
    // Of one mind on accuracy, which is all that both judged.
    expect(found(of(['accuracy', 1]), of(['accuracy', 1], ['tone', 5]))).toBeUndefined()
    expect(found(of(['accuracy', 3]), of(['accuracy', 1], ['tone', 5]))).toMatchObject({
      clinicians: 2,
      jury: 1,
    })
    expect(found(of(['accuracy', 3]), of(['tone', 3]))).toMatchObject({ clinicians: null, jury: 1 })
  })

  it('lists what is as bad by digest, whatever the order of the answers', () => {
    const ratings = by('ann', ...[1, 2, 3, 4].map((of) => scored(of, 1)))
    const answers = [3, 1, 4, 2].map((at) => answerOf(at))
    const found = disagreements(ratings, answers, () => 4).map(({ answer }) => answer.answer)
    expect(found).toEqual(answers.map(({ answer }) => answer).toSorted())
  })

  it('shows an answer that two models gave once', () => {
    const twins = [answerOf(1), answerOf(1, { model: 'x/two' })]
    const found = disagreements(by('ann', scored(1, 1)), twins, () => 4)
    expect(found.map(({ answer }) => answer.model)).toEqual(['x/one'])
  })
})

describe('practiceUnits', () => {
  it('takes the last of each stratum’s draw, one of an instance, round after round', () => {
    const left = [[answerOf(1), answerOf(2)], [answerOf(3)], [], [answerOf(2, { model: 'x/two' })]]
    const numbers = (count: number) =>
      practiceUnits(left, count).map(({ instance }) =>
        [1, 2, 3].find((at) => answerOf(at).instance === instance),
      )
    expect(numbers(3)).toEqual([2, 3, 1])
    expect(numbers(1)).toEqual([2])
    expect(numbers(0)).toEqual([])
    expect(numbers(9)).toEqual([2, 3, 1])
    expect(practiceUnits([], 3)).toEqual([])
  })
})

describe('residualsOf', () => {
  const answers = Array.from({ length: 12 }, (_, at) => answerOf(at, { jury: 1 + (at % 4) }))
  const rated = (noise: (at: number) => number) =>
    ratedUnits([
      { events: logOf(answers.map((answer, at) => scored(at, 1 + 0.5 * (answer.jury ?? 0) + noise(at)))) },
    ])

  it('is what is left of labels beyond their line on the jury', () => {
    expect(
      residualsOf(
        answers,
        rated(() => 0),
        [],
      )?.variance,
    ).toBeCloseTo(0, 12)
    const noisy = residualsOf(
      answers,
      rated((at) => (at < 4 ? 1 : at < 8 ? 0 : -1)),
      [],
    )
    // Noise that the jury knows nothing of: 8 ones squared over 11.
    expect(noisy?.variance).toBeCloseTo(8 / 11, 12)
    expect(noisy?.byThird).toHaveLength(3)
  })

  it('is unknown with fewer than ten labels, and usual in squared points of the scale', () => {
    expect(
      residualsOf(
        answers.slice(0, 9),
        rated(() => 0),
        [],
      ),
    ).toBeUndefined()
    expect(
      residualsOf(
        answers.slice(0, 10),
        rated(() => 0),
        [],
      ),
    ).toBeDefined()
    expect([4, 1, 9].map(usualResidualVariance)).toEqual([0.3, 0.3 / 16, 0.3 * (9 / 4) ** 2])
  })
})

describe('placeInBlocks', () => {
  it('finds an item’s block and place, and none beyond the ends', () => {
    const sizes = [2, 1, 3]
    expect([1, 2, 3, 4, 6].map((item) => placeInBlocks(item, sizes))).toEqual([
      { block: 0, at: 0 },
      { block: 0, at: 1 },
      { block: 1, at: 0 },
      { block: 2, at: 0 },
      { block: 2, at: 2 },
    ])
    expect([0, -1, 7].map((item) => placeInBlocks(item, sizes))).toEqual([undefined, undefined, undefined])
  })
})
