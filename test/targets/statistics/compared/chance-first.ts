import { chancesOfFirst } from '../../../../targets/statistics/ranks/chance-first.ts'
import { finish } from '../../../../targets/statistics/scale.ts'

/** All at once. */
export const chanceFirst = (...given: Parameters<typeof chancesOfFirst>): readonly number[] =>
  finish(chancesOfFirst(...given))
