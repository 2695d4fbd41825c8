import { chancesOfFirst } from '../../../targets/statistics/ranks/chance-first.ts'
import { finish } from '../../../targets/statistics/scale.ts'

/** `chancesOfFirst`, all at once. */
export const chanceFirst = (...of: Parameters<typeof chancesOfFirst>): readonly number[] =>
  finish(chancesOfFirst(...of))
