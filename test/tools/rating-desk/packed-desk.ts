import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { GivenRating } from '../../../targets/ratings/reasons.ts'
import { RETURNED, type PackEvent, type SealedPack } from '../../../tools/rating-desk/pack.ts'
import { boxOf } from '../../../tools/rating-desk/seal.ts'

/** A sealed file, as its page would give it back. */
export interface PackedDesk {
  readonly html: string
  readonly secret: string
  /** The file that a rater with the secret sends: whatever they want it to hold. */
  returned(ratings: readonly (Partial<GivenRating> | PackEvent)[]): Promise<string>
}

/** @param printed what `rate pack` said */
export const openPack = (file: string, printed: string): PackedDesk => {
  const html = readFileSync(file, 'utf8')
  const secret = /secret: (\S+)/.exec(printed)?.[1] ?? ''
  const { study, rater, pack } = JSON.parse(
    /id="sealed">(.*?)<\/script>/s.exec(html)?.[1] ?? '',
  ) as SealedPack
  return {
    html,
    secret,
    returned: async (ratings) => {
      const events = ratings.map((each) => ('id' in each ? each : eventOf(each)))
      const sealed = await (await boxOf(secret, pack)).seal(JSON.stringify(events), RETURNED)
      return JSON.stringify({ medmake: 'ratings 1', study, rater, pack, sealed })
    },
  }
}

const eventOf = (given: Partial<GivenRating>): PackEvent => ({
  id: randomUUID(),
  at: '2026-03-01T10:00:00Z',
  rating: {
    item: 1,
    scores: {},
    reason: null,
    safety: false,
    comment: '',
    active_ms: 20_000,
    opened: [],
    ...given,
  },
})
