import { ProblemError } from '../../../cache/problems/problem.ts'
import { textFlag } from '../flags.ts'
import type { FlagValues } from '../verb.ts'

/** A number of points above 0. @throws ProblemError `cli/bad-flag` */
export const pointsFlag = (flags: FlagValues, name: string): number | undefined => {
  const value = textFlag(flags, name)
  if (value === undefined) return undefined
  const points = Number(value)
  if (/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(value) && points > 0) return points
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  throw new ProblemError({
    code: 'cli/bad-flag',
    message: `${flag} ${value} is no number of points above 0`,
    where: { field: flag },
    remedy: `Write ${flag} 0.15, for instance.`,
  })
}
