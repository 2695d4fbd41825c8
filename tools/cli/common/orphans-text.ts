import type { CurrentRating } from '../../../targets/ratings/current-ratings.ts'

/** What is said of ratings that are of no answer here. */
export const orphansText = (orphans: readonly CurrentRating[]): string =>
  `${orphans.length} ratings are of answers that these runs do not hold (${[
    ...new Set(orphans.map(({ study, rater }) => `${study}: ${rater}`)),
  ].join(', ')}); they are kept, and left out here.`
