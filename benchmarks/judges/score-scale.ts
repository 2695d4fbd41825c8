import { z } from 'zod'
import type { ScoreScale } from '../scenario/benchmark.ts'

/** `[least, most]`. */
export const Scale = z
  .tuple([z.number(), z.number()], 'it must be the least and the greatest score, e.g. [1, 5]')
  .refine(([least, most]) => least < most, 'the first must be less than the second')

export const scaleOf = ([least, most]: readonly [number, number]): ScoreScale => ({ least, most })
