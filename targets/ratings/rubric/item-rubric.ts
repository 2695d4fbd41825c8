import type { RubricItem } from '../../../benchmarks/scenario/rubric.ts'
import { pointsScore } from '../../jury/grading/read-grade.ts'
import { ratingRubric, rubricDigest, type RatedJury, type RatingRubric } from './rating-rubric.ts'

/** The name of an item in ratings: its place in the instance's rubric, from 1. */
export const itemName = (index: number): string => `item-${index + 1}`

export const isItemName = (name: string): boolean => /^item-\d+$/.test(name)

/** An instance's own rubric as clinicians rate by it: each item is met or not. What meeting it is worth is not shown. */
export const itemRubric = (
  items: readonly Pick<RubricItem, 'criterion'>[],
  digest: RatingRubric['digest'],
): RatingRubric => ({
  digest,
  ...itemCriteria(items),
})

/** The same without a name of its own, as ratings are checked by it. */
export const itemCriteria = (
  items: readonly Pick<RubricItem, 'criterion'>[],
): Omit<RatingRubric, 'digest'> => ({
  criteria: items.map(({ criterion }, index) => ({
    name: itemName(index),
    title: `Point ${index + 1}`,
    text: criterion,
  })),
  scale: { least: 0, most: 1 },
  ends: { least: 'not met', most: 'met' },
})

/** What of a jury's rubric holds for all its instances: of one whose instances bring their own no criterion. */
export const commonRubric = (jury: RatedJury): RatingRubric =>
  jury.grading === undefined ? ratingRubric(jury) : itemRubric([], rubricDigest(jury))

/**
 * What a clinician's verdicts make, as graders' do: points of the items that are met over those above 0, among the items
 * that were judged. Undefined where none above 0 was.
 */
export const itemScore = (
  points: readonly number[],
  scores: Readonly<Record<string, number>>,
): number | undefined =>
  pointsScore(
    points.flatMap((each, index) => {
      const score = scores[itemName(index)]
      return score === undefined ? [] : [{ points: each, met: score === 1 }]
    }),
  )
