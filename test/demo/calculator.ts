import type { Draw } from './draw.ts'

/** A made-up patient and what the formula gives for them. */
export interface DrawnCase {
  /** The same in several wordings, so that items of one calculator differ in more than their numbers. */
  readonly vignettes: readonly string[]
  /** Exact, before rounding. */
  readonly value: number
  /** Intermediate values that the formula itself rounds to whole numbers. */
  readonly steps?: readonly number[]
}

/** A published formula with the wording of its items. */
export interface Calculator {
  readonly id: string
  readonly name: string
  /** Where the formula was published. */
  readonly citation: string
  readonly question: string
  /** Decimals that the question asks for. */
  readonly decimals: number
  /** `index` is the item's, whose wording is the one at that place, going round. */
  readonly draw: (draw: Draw, index: number) => DrawnCase
}

/** A laboratory value with one decimal, as reports print it. */
export const lab = (value: number): string => value.toFixed(1)
