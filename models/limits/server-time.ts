/**
 * When a reply was sent, epoch milliseconds, by the clock of its server, which may be off from ours: its own dates are
 * to be held against that.
 * @param date the header `date`; where it tells nothing, `now` stands in
 */
export const serverTime = (date: string | null | undefined, now: number): number =>
  Date.parse(date ?? '') || now
