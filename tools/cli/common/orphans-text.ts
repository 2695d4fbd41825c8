import { plural } from '../../../cache/words/number-text.ts'
import type { CurrentRating } from '../../../targets/ratings/current-ratings.ts'

/** What is said of ratings that are of no answer here. */
export const orphansText = (orphans: readonly CurrentRating[]): string =>
  `${plural(orphans.length, 'rating is', 'ratings are')} of answers that these runs do not hold (${[
    ...new Set(orphans.map(({ study, rater }) => `${study}: ${rater}`)),
  ].join(', ')}); kept, and left out here.`
