import type { Interval } from '../intervals/wilson.ts'

/** Whether what could not be read may turn a difference round: its bounds, which leave it open, hold 0. */
export const couldTurn = ({ low, high }: Interval): boolean => low < high && low <= 0 && high >= 0
