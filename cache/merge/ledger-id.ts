import { digestOf } from '../values/digest.ts'

const SUFFIX = 16
const FORM = /^(\d{4}-\d\d-\d\d:[0-9a-f]{64})(?::(.+))?$/

/**
 * Id of a ledger's entry: `DAY:COMPLETION:` and 16 digits of its content's sha256. So a call that two machines paid for
 * has two entries wherever they meet, and an entry that came twice has one.
 */
export const ledgerId = (day: string, completion: string, payload: Buffer | string): string =>
  `${day}:${completion}:${digestOf(payload).slice(0, SUFFIX)}`

/** The id that an entry has, or would have now: earlier versions numbered the entries of a day in each store. */
export const currentLedgerId = (id: string, payload: Buffer): string => {
  const [, place, suffix] = FORM.exec(id) ?? []
  if (place === undefined || suffix?.length === SUFFIX) return id
  return ledgerId(place.slice(0, 10), place.slice(11), payload)
}
