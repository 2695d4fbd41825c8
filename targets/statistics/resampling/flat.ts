import type { Interval } from '../intervals/wilson.ts'

/** Ends closer than this are one: rounding leaves as much of values that are all alike. */
const FLAT = 1e-12

/** Whether an interval has no width: draws that are all alike are no proof that the next one would be, too. */
export const isFlat = ({ low, high }: Interval): boolean => high - low <= FLAT * (1 + Math.abs(low))
