import { z } from 'zod'
import { ProblemError } from '../../cache/problems/problem.ts'
import { GIVEN_RATING, RECOGNISED } from '../../targets/ratings/given-rating.ts'
import type { Study } from '../../targets/ratings/study.ts'
import { RETURNED, type ReturnedPack } from './pack.ts'
import { subjectOf } from './rater-desk.ts'
import { contentOf } from './given-content.ts'
import { boxOf } from './seal.ts'
import {
  addImported,
  type ImportedRatings,
  type ImportPlace,
  type IncomingEvent,
} from '../ratings/imported-ratings.ts'
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
 * `ratings/damaged-return` for one that was changed
 */
export const importReturned = async (
  text: string,
  place: ImportPlace & { readonly file: string },
): Promise<readonly ImportedRatings[]> => {
  const { file, root, vault } = place
  const returned = RETURNED_PACK.safeParse(parsed(text)).data
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
  const events = opened === undefined ? undefined : PACK_EVENTS.safeParse(parsed(opened)).data
  if (events === undefined)
    throw fault(
      'damaged-return',
      file,
      'the file was changed on its way',
      'Ask the rater to save and send it again.',
    )
  const study = requirePlan(root, pack.study)
  const incoming = incomingOf(events, { pack: returned.pack, units: pack.units }, study, pack.rater)
  return [{ ...(await addImported(pack, incoming, place)), skipped: 0 }]
}

const incomingOf = (
  events: PackEvents,
  { pack, units }: { readonly pack: string; readonly units: readonly number[] },
  study: Study,
  rater: string,
): readonly IncomingEvent[] => {
  const byNumber = new Map(study.units.map((unit) => [unit.number, unit]))
  const order = new Map(
    study.raters.find(({ name }) => name === rater)?.units.map((unit, at) => [unit, at + 1]),
  )
  return events.flatMap((event): readonly IncomingEvent[] => {
    const named = { study: study.id, rater, at: event.at, origin: `${pack}:${event.id}` }
    if ('recognised' in event)
      return [
        { event: { ...named, kind: 'handed-in', recognised: event.recognised, content: null }, comment: '' },
      ]
    const { rating } = event
    const number = units[rating.item - 1] ?? 0
    const unit = byNumber.get(number)
    if (unit === undefined) return []
    return [
      {
        event: {
          ...named,
          kind: rating.reason === null ? 'rated' : 'cannot-judge',
          order: order.get(number) ?? rating.item,
          subject: subjectOf(unit),
          content: contentOf(rating),
        },
        comment: rating.comment,
      },
    ]
  })
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const fault = (code: string, file: string, message: string, remedy: string): ProblemError =>
  new ProblemError({ code: `ratings/${code}`, message, where: { file }, remedy })
