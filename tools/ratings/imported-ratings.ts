import { currentRatings, subjectKey } from '../../targets/ratings/current-ratings.ts'
import type { NewEvent, RatingEvent } from '../../targets/ratings/event.ts'
import type { Claim } from '../../cache/store.ts'
import { RatingLog } from './rating-log.ts'
import type { RatingVault } from './rating-vault.ts'
import { logFile } from './study-folder.ts'

/** What an import did for one rater. */
export interface ImportedRatings {
  readonly study: string
  readonly rater: string
  readonly added: number
  /** Were imported before. */
  readonly known: number
  /** Are of answers that no run holds. */
  readonly unlinked: number
  /** Rows that hold no score. */
  readonly skipped: number
}

/** An event to be taken in, and the comment that goes to the vault. */
export interface IncomingEvent {
  readonly event: NewEvent & { readonly origin: string }
  readonly comment: string
}

/** Where ratings are taken in. */
export interface ImportPlace {
  readonly root: string
  readonly vault: RatingVault
  /** The right to write a rater's log. */
  readonly claim: (study: string, rater: string) => Promise<Claim>
}

/** Adds those events of a rater that are not in the log yet, all or none. */
export const addImported = async (
  { study, rater }: { readonly study: string; readonly rater: string },
  incoming: readonly IncomingEvent[],
  { root, vault, claim }: ImportPlace,
): Promise<Omit<ImportedRatings, 'skipped'>> => {
  const held = await claim(study, rater)
  try {
    const log = new RatingLog(logFile(root, study, rater))
    const origins = new Set(log.events.flatMap(({ origin }) => origin ?? []))
    const added: RatingEvent[] = []
    for (const { event, comment } of incoming) {
      if (origins.has(event.origin)) continue
      origins.add(event.origin)
      const next = log.next(event, added.at(-1))
      if (event.content?.comment === true) await vault.keepComment(next.id, comment)
      added.push(next)
    }
    log.append(added)
    const unlinked = new Set(
      currentRatings(added).flatMap(({ subject }) => (subject.answer === null ? [subjectKey(subject)] : [])),
    )
    return {
      study,
      rater,
      added: added.length,
      known: incoming.length - added.length,
      unlinked: unlinked.size,
    }
  } finally {
    await held.release()
  }
}
