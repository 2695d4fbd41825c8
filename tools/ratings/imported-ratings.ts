import { digestJson } from '../../cache/values/digest.ts'
import { currentRatings, subjectKey } from '../../targets/ratings/current-ratings.ts'
import type { NewEvent, RatingEvent } from '../../targets/ratings/event.ts'
import type { Claim } from '../../cache/store.ts'
import type { RatingLog } from './rating-log.ts'
import type { RatingVault } from './rating-vault.ts'
import { openLog } from './study-folder.ts'

export interface ImportedRatings {
  readonly study: string
  readonly rater: string
  readonly added: number
  /** Were imported before. */
  readonly known: number
  /** Of all of these, such as count not: the rater said otherwise, or took it back, since. */
  readonly passed: number
  /** Are of answers that no run holds. */
  readonly unlinked: number
  /** Of these, such as have no score of a jury beside them. */
  readonly withoutJury: number
  /** Rows that hold no score. */
  readonly skipped: number
  /** Neither in the study's plan nor with ratings in it, which has others: it may be a name that is misspelt. */
  readonly isNew?: true
  /** Of a sealed file that was rated on another device before: of what was rated on both the later counts, by their clocks. */
  readonly isOther?: true
  /** What is said of criteria that no row scores. */
  readonly lacked?: string
  /** The rubric's scale, where a table's scores were of another. */
  readonly mappedTo?: string
}

/** An event to be taken in, and the comment that goes to the vault. */
export interface IncomingEvent {
  readonly event: NewEvent & { readonly origin: string }
  readonly comment: string
  /** What an export names, were it of an answer that no run holds. */
  readonly exported?: { readonly answer: string; readonly rubric: string | undefined }
  /** Origin that it had while no run held its answer. */
  readonly unlinked?: string
}

/** Incoming events by the device that they were rated on; whether it is another one than before. */
export interface ByDevice {
  readonly incoming: readonly IncomingEvent[]
  readonly isOther: boolean
}

/** Where ratings are taken in. */
export interface ImportPlace {
  readonly root: string
  readonly vault: RatingVault
  /** The right to write a rater's log. */
  readonly claim: (study: string, rater: string) => Promise<Claim>
}

/**
 * Adds those events of a rater that are not in the log yet, all or none.
 * @param device tells whose they are by what came before
 */
export const addImported = async (
  { study, rater }: { readonly study: string; readonly rater: string },
  given: readonly IncomingEvent[],
  { root, vault, claim }: ImportPlace,
  device = (incoming: readonly IncomingEvent[], _events: RatingLog['events']): ByDevice => ({
    incoming,
    isOther: false,
  }),
): Promise<Omit<ImportedRatings, 'skipped' | 'mappedTo' | 'lacked' | 'isNew'>> => {
  const held = await claim(study, rater)
  try {
    const log = openLog(root, study, rater)
    const { incoming, isOther } = device(given, log.events)
    const known = new Map(log.events.map((event) => [event.origin, event]))
    // By its own export: told as changed it would take the hand-in back.
    const said = new Map(currentRatings(log.events).map((rating) => [saidIn(rating), rating.source]))
    const takenBack = new Map(
      log.events.flatMap((event) =>
        event.content === null && event.subject ? [[givenAs(event, event.subject), event] as const] : [],
      ),
    )
    const added: RatingEvent[] = []
    for (const { event, exported } of incoming) {
      const source = said.get(saidIn({ ...event, subject: exported ?? event.subject }))
      if (known.has(event.origin) || (source !== undefined && !isSaidAgain(source, event.origin))) continue
      // Its own export gives no rating back that was withdrawn since.
      const gone = exported && takenBack.get(givenAs(event, exported))
      if (gone !== undefined) {
        known.set(event.origin, gone)
        continue
      }
      const next = log.next(event, added.at(-1))
      known.set(event.origin, next)
      added.push(next)
    }
    log.append(added)
    // Behind their events: what no log names no withdrawal would find. Those of an import that was killed here, too.
    for (const { event, comment } of incoming) {
      const { id, content } = known.get(event.origin) ?? {}
      if (id === undefined || content?.comment !== true) continue
      if ((await vault.comment(id)) === undefined) await vault.keepComment(id, comment)
    }
    await withdrawUnlinked(incoming, log, vault)
    const unlinked = new Map(
      currentRatings(added).flatMap(({ subject, content }) =>
        subject.answer === null ? [[subjectKey(subject), content.jury] as const] : [],
      ),
    )
    return {
      study,
      rater,
      added: added.length,
      known: incoming.length - added.length,
      passed: passedIn(incoming, known, log),
      unlinked: unlinked.size,
      withoutJury: [...unlinked.values()].filter((jury) => jury === undefined).length,
      ...(isOther && { isOther }),
    }
  } finally {
    await held.release()
  }
}

/** In a sealed file, whose desk says again what a copy would else have the last word on. */
const isSaidAgain = (source: string, origin: string): boolean =>
  source !== 'table' && origin.split(/[~:]/)[0] === source.split('~')[0]

/** The last word of a file on an answer, where it is not what counts. */
const passedIn = (
  incoming: readonly IncomingEvent[],
  known: ReadonlyMap<string | undefined, RatingEvent>,
  log: RatingLog,
): number => {
  const now = new Set(currentRatings(log.events).map(({ event }) => event))
  const last = new Map(
    incoming.flatMap(({ event: { subject, practice, origin } }) =>
      subject === undefined || practice === true
        ? []
        : [[subjectKey(subject), known.get(origin)?.id] as const],
    ),
  )
  return [...last.values()].filter((id) => id !== undefined && !now.has(id)).length
}

const givenAs = ({ at }: Pick<NewEvent, 'at'>, { answer, rubric }: NonNullable<Exported>): string =>
  JSON.stringify([at, answer, rubric])

/** An answer's digest is of its instance, too. */
const saidIn = ({ subject, at, content }: Said): string => {
  const { scores, reason = null, safety = false } = content ?? {}
  const of =
    subject && 'benchmark' in subject && subject.answer === null
      ? subjectKey(subject)
      : [subject?.answer ?? null, subject?.rubric ?? null]
  return digestJson([of, at, scores ?? null, reason, safety])
}

type Exported = RatingEvent['subject'] | IncomingEvent['exported']

interface Said extends Pick<NewEvent, 'at' | 'content'> {
  readonly subject: Exported
}

/** What is linked now would count twice beside what was kept of it before. */
const withdrawUnlinked = async (
  incoming: readonly IncomingEvent[],
  log: RatingLog,
  vault: Pick<RatingVault, 'dropComment'>,
): Promise<void> => {
  const before = new Map(
    incoming.flatMap(({ unlinked, event }) =>
      unlinked === undefined ? [] : [[unlinked, event.at] as const],
    ),
  )
  const gone = log.events.filter(({ origin, content }) => content !== null && before.has(origin ?? ''))
  const [first] = gone
  if (first?.origin === undefined) return
  for (const { id, content } of gone) if (content?.comment === true) await vault.dropComment(id)
  log.withdraw(gone, before.get(first.origin) ?? first.at)
}
