import { z } from 'zod'
import type { ScoreScale } from '../scenario/benchmark.ts'

/** `[least, most]`. */
export const Scale = z
  .tuple([z.number(), z.number()])
  .refine(([least, most]) => least < most, 'the first must be less than the second')

export const scaleOf = ([least, most]: readonly [number, number]): ScoreScale => ({ least, most })
