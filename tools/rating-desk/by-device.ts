import type { RatingEvent } from '../../targets/ratings/event.ts'
import type { ByDevice, IncomingEvent } from '../ratings/imported-ratings.ts'

/**
 * What came back of a pack that was rated on several devices, by names of their own for these: `PACK:ID`, `PACK~2:ID`.
 * A file that lacks what came before of a device is another one's; within one lines tell what came last, between them only
 * clocks do.
 *
 * @param incoming of one file, by origins `PACK:ID`
 * @param events of the log
 */
export const byDevice = (
  incoming: readonly IncomingEvent[],
  events: readonly Pick<RatingEvent, 'origin'>[],
  pack: string,
): ByDevice => {
  const ids = new Set(incoming.map(({ event }) => idOf(event.origin)))
  const known = new Map<string, string>()
  const whole = new Map<string, boolean>()
  for (const { origin } of events) {
    if (origin === undefined || origin.split(/[~:]/)[0] !== pack) continue
    const device = origin.slice(0, origin.indexOf(':'))
    known.set(idOf(origin), origin)
    whole.set(device, whole.get(device) !== false && ids.has(idOf(origin)))
  }
  const own = [...whole].findLast(([, isWhole]) => isWhole)?.[0]
  const device = own ?? (whole.size === 0 ? pack : `${pack}~${whole.size + 1}`)
  return {
    isOther:
      own === undefined && whole.size > 0 && incoming.some(({ event }) => !known.has(idOf(event.origin))),
    incoming: incoming.map((each) => {
      const id = idOf(each.event.origin)
      return { ...each, event: { ...each.event, origin: known.get(id) ?? `${device}:${id}` } }
    }),
  }
}

const idOf = (origin: string): string => origin.slice(origin.indexOf(':') + 1)
