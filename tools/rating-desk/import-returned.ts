import { parsedJson } from '../../cache/values/json.ts'
import { z } from 'zod'
import { ProblemError } from '../../cache/problems/problem.ts'
import { GIVEN_RATING, RECOGNISED } from '../../targets/ratings/given-rating.ts'
import { ratingFault } from '../../targets/ratings/rubric/check-rating.ts'
import { itemCriteria } from '../../targets/ratings/rubric/item-rubric.ts'
import { raterQueue } from '../../targets/ratings/queue.ts'
import type { Study } from '../../targets/ratings/study.ts'
import { RETURNED, type ReturnedPack } from './pack.ts'
import { givenEvent } from './given-content.ts'
import { byDevice } from './by-device.ts'
import { boxOf } from './seal.ts'
import {
  addImported,
  type ImportedRatings,
  type ImportPlace,
  type IncomingEvent,
} from '../ratings/imported-ratings.ts'
import type { CheckedRubric, KeptPack, PackedItem } from '../ratings/rating-vault.ts'
import { requirePlan } from '../ratings/study-folder.ts'

const RETURNED_PACK: z.ZodType<ReturnedPack> = z.strictObject({
  medmake: z.literal('ratings 1'),
  study: z.string(),
  rater: z.string(),
  pack: z.string(),
  sealed: z.string(),
})

const PACK_EVENTS = z.array(
  z.union([
    z.strictObject({ id: z.uuid(), at: z.iso.datetime(), rating: GIVEN_RATING }),
    z.strictObject({ id: z.uuid(), at: z.iso.datetime(), recognised: z.enum(RECOGNISED) }),
  ]),
)

type PackEvents = z.infer<typeof PACK_EVENTS>

/**
 * Takes in what a rater sent back from a sealed file.
 * @throws ProblemError `ratings/not-returned` for no such file, `ratings/unknown-pack` for one that was not packed here,
 * `ratings/damaged-return` for one that was changed, `ratings/bad-return` and `ratings/not-of-plan` for what no desk gives
 */
export const importReturned = async (
  text: string,
  place: ImportPlace & { readonly file: string },
): Promise<readonly ImportedRatings[]> => {
  const { file, root, vault } = place
  const returned = RETURNED_PACK.safeParse(parsedJson(text)).data
  if (returned === undefined)
    throw fault(
      'not-returned',
      file,
      'the file is none that a rater saved',
      'Ask for the file that the desk saves at its end, named STUDY-RATER.ratings.json.',
    )
  const pack = await vault.pack(returned.pack)
  if (pack === undefined || pack.study !== returned.study || pack.rater !== returned.rater)
    throw fault(
      'unknown-pack',
      file,
      'the file is of a pack that was not made in this workspace',
      'Import it where `medmake rate pack` was run: its secret lies in that vault.',
    )
  const opened = await (await boxOf(pack.secret, returned.pack)).open(returned.sealed, RETURNED)
  const events = opened === undefined ? undefined : PACK_EVENTS.safeParse(parsedJson(opened)).data
  if (events === undefined)
    throw fault(
      'damaged-return',
      file,
      'the file was changed on its way',
      'Ask the rater to save and send it again.',
    )
  const study = requirePlan(root, pack.study)
  const given = incomingOf(events, { ...pack, pack: returned.pack }, study, file)
  const added = await addImported(pack, given, place, (...found) => byDevice(...found, returned.pack))
  return [{ ...added, skipped: 0 }]
}

const incomingOf = (
  events: PackEvents,
  pack: KeptPack & { readonly pack: string },
  study: Study,
  file: string,
): readonly IncomingEvent[] => {
  const { rater, items } = pack
  const queue = raterQueue(study, rater)
  return events.map((event): IncomingEvent => {
    const named = { study: study.id, rater, at: event.at, origin: `${pack.pack}:${event.id}` }
    if ('recognised' in event)
      return {
        event: { ...named, kind: 'handed-in', recognised: event.recognised, content: null },
        comment: '',
      }
    const { rating } = event
    const item = items[rating.item - 1]
    const queued = queue.find(
      ({ number, isPractice }) => number === item?.number && isPractice === item.isPractice,
    )
    if (item === undefined || queued === undefined)
      throw fault(
        'not-of-plan',
        file,
        `item ${rating.item} of it is none that the plan gives ${rater}`,
        'Put ratings/STUDY/study.json back as it was when the file was packed; a plan is extended by `medmake rate plan`, never by hand.',
      )
    const points = typeof item.rubric === 'number' ? undefined : item.rubric.points
    const wrong = ratingFault(rating, rubricOf(item, pack))
    if (wrong !== undefined)
      throw fault(
        'bad-return',
        file,
        `item ${rating.item} of it holds no rating by its rubric`,
        'No desk saves such a rating. Nothing of the file was taken in; ask the rater what happened to it.',
      )
    return { event: { ...named, ...givenEvent(rating, queued, points) }, comment: rating.comment }
  })
}

const rubricOf = ({ rubric }: PackedItem, { rubrics }: KeptPack): CheckedRubric =>
  typeof rubric === 'number'
    ? (rubrics[rubric] ?? NO_RUBRIC)
    : itemCriteria(rubric.points.map(() => ({ criterion: '' })))

const NO_RUBRIC: CheckedRubric = { criteria: [], scale: { least: 0, most: 0 } }

const fault = (code: string, file: string, message: string, remedy: string): ProblemError =>
  new ProblemError({ code: `ratings/${code}`, message, where: { file }, remedy })
