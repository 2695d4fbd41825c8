import { groupBy } from '../../cache/lists.ts'

/** Fewer of one rater may tell who it was. */
const FEWEST = 5

interface GivenRating {
  readonly rater: string
  readonly benchmark: string
  readonly model: string
}

/**
 * What of ratings may be published: without those of a rater who gave fewer than five of a benchmark. Counts and means that are
 * told elsewhere take all in: with so few, those of further raters, fewest first, are withheld that of no model fewer than five are.
 */
export const releasedRatings = <Rating extends GivenRating>(
  ratings: readonly Rating[],
): readonly Rating[] => {
  const withheld = new Set(
    [...groupBy(ratings, ({ benchmark }) => benchmark).values()].flatMap((own) => withheldOf(own)),
  )
  return ratings.filter((rating) => !withheld.has(rating))
}

const withheldOf = <Rating extends GivenRating>(ratings: readonly Rating[]): readonly Rating[] => {
  const byRater = [...groupBy(ratings, ({ rater }) => rater)]
    .toSorted(([a, of], [b, own]) => of.length - own.length || (a < b ? -1 : 1))
    .map(([, own]) => own)
  let count = byRater.filter(({ length }) => length < FEWEST).length
  const withheld = (): readonly Rating[] => byRater.slice(0, count).flat()
  const isTold = (): boolean =>
    [...groupBy(withheld(), ({ model }) => model).values()].some(({ length }) => length < FEWEST)
  while (count < byRater.length && isTold()) count += 1
  return withheld()
}
