import { ProblemError } from '../../cache/problems/problem.ts'
import type { Claim } from '../../cache/store.ts'
import { digestJson } from '../../cache/values/digest.ts'
import type { Session } from '../session/session.ts'

/** One process at a time writes a rater's ratings. @throws ProblemError `ratings/desk-open` */
export const claimRater = async (
  { store }: Pick<Session, 'store'>,
  study: string,
  rater: string,
): Promise<Claim> => {
  const claim = await store.claim(digestJson(['ratings of', study, rater]))
  if (claim !== undefined) return claim
  throw new ProblemError({
    code: 'ratings/desk-open',
    message: `the ratings of ${rater} are open in another process`,
    where: { field: '--rater' },
    remedy: 'End the other `medmake rate serve` first, or serve other raters with --rater.',
  })
}
