import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Access } from '../../benchmarks/scenario/benchmark.ts'
import { digestJson } from '../../cache/values/digest.ts'
import type { RatingRubric } from '../../targets/ratings/rubric/rating-rubric.ts'
import type { SessionVault } from '../session/session-keeping.ts'

/** A sealed file that was made here. */
export interface KeptPack {
  readonly study: string
  readonly rater: string
  readonly secret: string
  /** What the ratings that come back are checked by. */
  readonly rubrics: readonly CheckedRubric[]
  readonly items: readonly PackedItem[]
}

export type CheckedRubric = Pick<RatingRubric, 'criteria' | 'scale'>

export interface PackedItem {
  /** As in the rater's queue. */
  readonly number: number
  readonly isPractice: boolean
  /** Place in `rubrics`, or what the items of its own are worth. */
  readonly rubric: number | { readonly points: readonly number[] }
}

/**
 * What of ratings may hold or betray texts, in the vault: comments, the key of digests of restricted answers, secrets of
 * sealed files.
 */
export interface RatingVault {
  /** Hex; undefined for a public benchmark, whose digests anybody may compute. */
  digestKey(access: Access): Promise<string | undefined>
  /** Of digests that were made while a benchmark's access was the other one, if any can have been. */
  formerKey(access: Access): Promise<string | undefined>
  comment(event: string): Promise<string | undefined>
  keepComment(event: string, text: string): Promise<void>
  dropComment(event: string): Promise<void>
  pack(id: string): Promise<KeptPack | undefined>
  keepPack(id: string, pack: KeptPack): Promise<void>
}

const KEY = 'rating-key'
const newKey = (): string => randomBytes(32).toString('hex')
/** Between two looks at whether another process has made it, milliseconds. */
const PAUSE = 20

/** @param isKept false where nothing may be written: a key that is made then names nothing that anybody knows */
export const createRatingVault = (
  vault: Pick<SessionVault, 'store' | 'exists'>,
  isKept = true,
): RatingVault => {
  const text = async (id: string): Promise<string | undefined> => {
    if (!vault.exists()) return undefined
    const found = (await vault.store()).get('files', id)
    return typeof found === 'string' ? found : undefined
  }
  const keep = async (id: string, value: string): Promise<void> =>
    (await vault.store()).put('files', id, value)
  let key: Promise<string> | undefined
  const findKey = async (): Promise<string> => {
    const known = await text(KEY)
    if (known !== undefined) return known
    if (!isKept) return newKey()
    // Of two processes that made one each, the plan of one would find its answers in no run.
    const claim = await (await vault.store()).claim(digestJson(KEY))
    if (claim === undefined) return setTimeout(PAUSE).then(findKey)
    try {
      const found = (await text(KEY)) ?? newKey()
      await keep(KEY, found)
      return found
    } finally {
      await claim.release()
    }
  }
  return {
    digestKey: async (access) => (access === 'public' ? undefined : (key ??= findKey())),
    formerKey: async (access) => (access === 'public' ? text(KEY) : undefined),
    comment: (event) => text(`rating-comment:${event}`),
    keepComment: (event, comment) => keep(`rating-comment:${event}`, comment),
    dropComment: async (event) => {
      if (vault.exists()) await (await vault.store()).remove('files', `rating-comment:${event}`)
    },
    pack: async (id) => {
      const kept = await text(`rating-pack:${id}`)
      return kept === undefined ? undefined : (JSON.parse(kept) as KeptPack)
    },
    keepPack: (id, pack) => keep(`rating-pack:${id}`, JSON.stringify(pack)),
  }
}
