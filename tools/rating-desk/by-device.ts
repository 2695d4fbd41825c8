import { remembered } from '../../cache/once.ts'
import type { RatingEvent } from '../../targets/ratings/event.ts'
import type { ByDevice, IncomingEvent } from '../ratings/imported-ratings.ts'

/**
 * What came back of a pack that was rated on several devices, by names of their own for these: `PACK:ID`, `PACK~2:ID`.
 * Behind all that came before of a device a file goes on with its line. What stands elsewhere is another one's, as in a desk
 * that opened a copy: within one lines tell what came last, between them only clocks do.
 *
 * @param incoming of one file, by origins `PACK:ID`
 * @param events of the log
 */
export const byDevice = (
  incoming: readonly IncomingEvent[],
  events: readonly Pick<RatingEvent, 'origin'>[],
  pack: string,
): ByDevice => {
  const known = new Map<string, string>()
  /** By device what the file has not told so far of what came before. */
  const left = new Map<string, Set<string>>()
  for (const { origin } of events) {
    if (origin === undefined || origin.split(/[~:]/)[0] !== pack) continue
    known.set(idOf(origin), origin)
    remembered(left, deviceOf(origin), () => new Set<string>()).add(idOf(origin))
  }
  const other = left.size === 0 ? pack : `${pack}~${left.size + 1}`
  let device = other
  let isOther = false
  const named = incoming.map((each) => {
    const id = idOf(each.event.origin)
    const before = known.get(id)
    if (before !== undefined) {
      device = deviceOf(before)
      left.get(device)?.delete(id)
    }
    const goesOn = left.get(device)?.size === 0
    isOther ||= before === undefined && !goesOn && left.size > 0
    return { ...each, event: { ...each.event, origin: before ?? `${goesOn ? device : other}:${id}` } }
  })
  return { isOther, incoming: named }
}

const deviceOf = (origin: string): string => origin.slice(0, origin.indexOf(':'))

const idOf = (origin: string): string => origin.slice(origin.indexOf(':') + 1)
