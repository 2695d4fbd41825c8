import { byText, groupBy } from '../../cache/lists.ts'
import { meanOrNull, reaches } from '../statistics/mean.ts'
import { compositeOf, type CurrentRating } from './current-ratings.ts'
import { itemScore } from './rubric/item-rubric.ts'
import { unitKey, type FrameAnswer } from './unit.ts'

/** Share of the scale between two scores of one answer from which they are to be talked about: two points from 1 to 5. */
const APART = 0.5

type DisagreementReason = 'safety' | 'reference wrong' | 'clinicians apart' | 'jury apart'

/** An answer to talk about, and why. */
export interface Disagreement<Answer extends FrameAnswer = FrameAnswer> {
  readonly answer: Answer
  readonly ratings: readonly {
    readonly rater: string
    readonly composite: number | null
    readonly scores: Readonly<Record<string, number>>
    readonly reason?: string
    readonly safety: boolean
    /** Of the event: its comment lies in the vault. */
    readonly event: string
  }[]
  /** Raters who fear harm. */
  readonly safety: number
  /** Raters who hold the reference to be wrong. */
  readonly referenceWrong: number
  /** Greatest distance of two clinicians, over the criteria that both judged; null where no two did. */
  readonly clinicians: number | null
  /** Mean of the clinicians' scores less the jury's of the same criteria; null without both. */
  readonly jury: number | null
  /** Never empty. */
  readonly reasons: readonly DisagreementReason[]
}

/**
 * Answers of which clinicians say that they could harm, that the reference is wrong, or that clinicians among themselves
 * or clinicians and jury score two points of five or more apart: safety first, then by distance.
 * @param rangeOf from the least score of an answer's rubric to the greatest
 * @param juryOf the jury's score of what a rating judged; of all criteria unless given
 * @param pointsOf points of the items of an instance's own rubric
 */
export const disagreements = <Answer extends FrameAnswer>(
  ratings: readonly CurrentRating[],
  answers: readonly Answer[],
  rangeOf: (answer: Answer) => number,
  juryOf?: (rating: CurrentRating) => number | null,
  pointsOf: (answer: Answer) => readonly number[] = () => [],
): readonly Disagreement<Answer>[] => {
  const byUnit = groupBy(ratings, ({ subject }) => unitKey(subject))
  const once = [
    ...new Map(answers.toReversed().map((answer) => [unitKey(answer), answer])).values(),
  ].reverse()
  return once
    .flatMap((answer) => {
      const own = byUnit.get(unitKey(answer))
      return own === undefined
        ? []
        : [
            disagreementOf(answer, own, {
              apart: APART * rangeOf(answer),
              juryOf: juryOf ?? (() => answer.jury),
              pointsOf: () => pointsOf(answer),
            }),
          ]
    })
    .filter(({ reasons }) => reasons.length > 0)
    .toSorted(
      (a, b) =>
        b.safety - a.safety || greatest(b) - greatest(a) || (a.answer.answer < b.answer.answer ? -1 : 1),
    )
}

const disagreementOf = <Answer extends FrameAnswer>(
  answer: Answer,
  ratings: readonly CurrentRating[],
  {
    apart,
    juryOf,
    pointsOf,
  }: {
    readonly apart: number
    readonly juryOf: (rating: CurrentRating) => number | null
    readonly pointsOf: () => readonly number[]
  },
): Disagreement<Answer> => {
  const sorted = ratings.toSorted((a, b) => byText(a.rater, b.rater))
  const distances = sorted.flatMap((one, at) =>
    sorted.slice(at + 1).flatMap((other) => distanceOf(one, other, pointsOf) ?? []),
  )
  const beyond = sorted.flatMap((rating) => {
    const [score, jury] = [compositeOf(rating), juryOf(rating)]
    return score === null || jury === null ? [] : [score - jury]
  })
  const found = {
    safety: sorted.filter(({ content }) => content.safety === true).length,
    referenceWrong: sorted.filter(({ content }) => content.reason === 'reference-wrong').length,
    clinicians: distances.length === 0 ? null : Math.max(...distances),
    jury: meanOrNull(beyond),
  }
  return {
    answer,
    ratings: sorted.map(toldRating),
    ...found,
    reasons: reasonsOf(found, apart),
  }
}

const distanceOf = (
  one: CurrentRating,
  other: CurrentRating,
  pointsOf: () => readonly number[],
): number | null => {
  const [a, b] = [commonOf(one, other, pointsOf), commonOf(other, one, pointsOf)]
  return a === null || b === null ? null : Math.abs(a - b)
}

/** A rating's score over the criteria, or the items, that another one judged, too. */
const commonOf = (
  { isRated, content }: CurrentRating,
  other: CurrentRating,
  pointsOf: () => readonly number[],
): number | null => {
  const own = Object.entries(content.scores)
  const common = own.filter(([name]) => name in other.content.scores)
  const scores = Object.fromEntries(common)
  return content.composite === undefined || common.length === own.length
    ? compositeOf({ isRated, content: { ...content, scores } })
    : (itemScore(pointsOf(), scores) ?? null)
}

/** A rating as those see it who talk about its answer. */
export const toldRating = (rating: CurrentRating): Disagreement['ratings'][number] => ({
  rater: rating.rater,
  composite: compositeOf(rating),
  scores: rating.content.scores,
  ...(rating.content.reason === undefined ? {} : { reason: rating.content.reason }),
  safety: rating.content.safety === true,
  event: rating.event,
})

const reasonsOf = (
  {
    safety,
    referenceWrong,
    clinicians,
    jury,
  }: Pick<Disagreement, 'safety' | 'referenceWrong' | 'clinicians' | 'jury'>,
  apart: number,
): readonly DisagreementReason[] => [
  ...(safety > 0 ? (['safety'] as const) : []),
  ...(referenceWrong > 0 ? (['reference wrong'] as const) : []),
  ...(reaches(clinicians ?? 0, apart) ? (['clinicians apart'] as const) : []),
  ...(reaches(Math.abs(jury ?? 0), apart) ? (['jury apart'] as const) : []),
]

const greatest = ({ clinicians, jury }: Disagreement): number =>
  Math.max(clinicians ?? 0, Math.abs(jury ?? 0))
