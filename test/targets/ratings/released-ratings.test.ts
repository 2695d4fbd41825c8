import { describe, expect, it } from 'vitest'
import { releasedRatings } from '../../../targets/ratings/released-ratings.ts'

const given = (rater: string, model: string, count: number, benchmark = 'notes') =>
  Array.from({ length: count }, () => ({ rater, model, benchmark }))

const left = (ratings: ReturnType<typeof given>): readonly string[] => [
  ...new Set(releasedRatings(ratings).map(({ rater, benchmark }) => `${rater} ${benchmark}`)),
]

describe('ratings that are published', () => {
  it('are all, in their order, where each rater gave five of a benchmark', () => {
    const all = [...given('bob', 'b', 5), ...given('ann', 'a', 3), ...given('ann', 'b', 2)]
    expect(releasedRatings(all)).toEqual(all)
  })

  it('are without those of a rater who gave fewer, of that benchmark alone', () => {
    const few = [...given('cyd', 'a', 3), ...given('dan', 'a', 2)]
    const all = [...given('ann', 'a', 9), ...few, ...given('cyd', 'a', 6, 'letters')]
    expect(left(all)).toEqual(['ann notes', 'cyd letters'])
  })

  it('are without so many more raters that no total tells the few, of a model neither', () => {
    const ann = [...given('ann', 'a', 9), ...given('ann', 'b', 9)]
    const bob = [...given('bob', 'a', 6), ...given('bob', 'b', 6)]
    expect(left([...ann, ...bob, ...given('cyd', 'a', 4)])).toEqual(['ann notes'])
    // Five of both models together are three of one.
    const split = [...given('cyd', 'a', 3), ...given('dan', 'b', 2)]
    expect(left([...ann, ...bob, ...split])).toEqual(['ann notes'])
    expect(left([...ann, ...given('cyd', 'a', 4)])).toEqual([])
    expect(left(given('cyd', 'a', 4))).toEqual([])
    // Of two with as many the first by name, in whatever order they come.
    const cyd = given('cyd', 'a', 4)
    const two = [...given('bob', 'a', 6), ...given('ann', 'a', 6)]
    for (const all of [two, two.toReversed()]) expect(left([...all, ...cyd])).toEqual(['bob notes'])
  })
})
