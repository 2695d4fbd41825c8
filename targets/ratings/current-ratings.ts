import type { RatingContent, RatingEvent, RatingSubject } from './event.ts'
import { meanOf } from '../statistics/mean.ts'

/** What a rater says of an answer now: the last of their events on it that was not withdrawn. */
export interface CurrentRating {
  readonly study: string
  readonly rater: string
  readonly event: string
  readonly at: string
  readonly order?: number
  readonly subject: RatingSubject
  /** False: the rater could not judge it. */
  readonly isRated: boolean
  readonly content: RatingContent
  /** How often the rater changed it. */
  readonly changes: number
  /** The sealed file or table that it came in; empty for the desk. */
  readonly source: string
}

/** One name for what was rated. */
export const subjectKey = ({ benchmark, instance, answer, rubric, model }: RatingSubject): string =>
  JSON.stringify(
    answer === null ? [benchmark, instance, null, model ?? ''] : [benchmark, instance, answer, rubric],
  )

/** What counts: practice does not. @param events of one rater in one study, in their order */
export const currentRatings = (events: readonly RatingEvent[]): readonly CurrentRating[] =>
  lastRatings(events.filter(({ practice }) => practice !== true))

/** What a rater practised. */
export const practiceRatings = (events: readonly RatingEvent[]): readonly CurrentRating[] =>
  lastRatings(events.filter(({ practice, kind }) => practice === true || kind === 'withdrawn'))

const lastRatings = (events: readonly RatingEvent[]): readonly CurrentRating[] => {
  const withdrawn = new Set(events.flatMap(({ withdraws }) => withdraws ?? []))
  const found = new Map<string, CurrentRating>()
  for (const { id, kind, study, rater, at, order, subject, content, origin } of events) {
    if (kind !== 'rated' && kind !== 'cannot-judge') continue
    if (subject === undefined || content === null || withdrawn.has(id)) continue
    const key = subjectKey(subject)
    const before = found.get(key)
    const source = origin?.split(':')[0] ?? ''
    // Within a sealed file lines tell what came last, and a desk showed what stood before; of all else only clocks tell.
    const isByClock = source !== '' && (before?.source !== source || source === 'table')
    if (before !== undefined && isByClock && before.at > at) continue
    found.set(key, {
      source,
      study,
      rater,
      event: id,
      at,
      ...(order === undefined ? {} : { order }),
      subject,
      isRated: kind === 'rated',
      content: withOpened(content, before?.content.opened),
      changes: before === undefined ? 0 : before.changes + 1,
    })
  }
  return [...found.values()]
}

/** What was opened before a rating was changed has been seen all the same. */
const withOpened = (content: RatingContent, before: RatingContent['opened']): RatingContent =>
  before === undefined
    ? content
    : { ...content, opened: [...new Set([...before, ...(content.opened ?? [])])] }

/**
 * Mean of a rating's judged criteria, or what its rubric's points make of them; null for one that gives no score.
 */
export const compositeOf = ({
  isRated,
  content,
}: Pick<CurrentRating, 'isRated' | 'content'>): number | null => {
  if (!isRated) return null
  if (content.composite !== undefined) return content.composite
  const values = Object.values(content.scores)
  return values.length > 0 ? meanOf(values) : null
}

/** Whether a rater has handed in, and nothing since. */
export const hasHandedIn = (events: readonly RatingEvent[]): boolean =>
  events.findLast(({ kind }) => kind !== 'withdrawn')?.kind === 'handed-in'
