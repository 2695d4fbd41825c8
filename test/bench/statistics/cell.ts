import { randomKey } from '../../../targets/statistics/resampling/random-key.ts'
import { RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'

/** A share of made-up data in which something holds, where the truth is known. */
export interface Cell {
  readonly section: string
  readonly what: string
  readonly holds: (stream: RandomStream) => boolean
  /** What an implementation outside of the project measured, in `repetitions`. */
  readonly reference: number
  readonly repetitions: number
  /** Whatever changes, the share stays within; absent for a known exception. */
  readonly bar?: { readonly least?: number; readonly most?: number }
}

export interface Measured {
  readonly share: number
  /** How far from the reference Monte Carlo error may take it. */
  readonly allowed: number
  readonly isWithin: boolean
}

/** Draws by seed and cell: the same figures each time. */
export const measure = (cell: Cell, seed: number, trials: number): Measured => {
  const key = randomKey(`${seed} ${cell.section} ${cell.what}`)
  let held = 0
  for (let trial = 0; trial < trials; trial += 1) if (cell.holds(new RandomStream(key, trial))) held += 1
  const share = held / trials
  const { reference, repetitions, bar } = cell
  const mean = Math.min(1 - 1 / repetitions, Math.max(1 / repetitions, (share + reference) / 2))
  const allowed = 3.5 * Math.sqrt(mean * (1 - mean) * (1 / repetitions + 1 / trials)) + 0.002
  const isWithin =
    Math.abs(share - reference) <= allowed &&
    share >= (bar?.least ?? 0) - allowed &&
    share <= (bar?.most ?? 1) + allowed
  return { share, allowed, isWithin }
}
