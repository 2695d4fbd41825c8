import { suggestion } from '../../cache/did-you-mean.ts'
import { ProblemError } from '../../cache/problem.ts'
import type { FlagValues } from './verb.ts'

export const textFlag = (flags: FlagValues, name: string): string | undefined => {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

export const listFlag = (flags: FlagValues, name: string): readonly string[] | undefined => {
  const value = flags[name]
  return typeof value === 'object' ? value : undefined
}

export const boolFlag = (flags: FlagValues, name: string): boolean => flags[name] === true

/** One of a few words. @throws ProblemError `cli/bad-flag` */
export const choiceFlag = <T extends string>(
  flags: FlagValues,
  name: string,
  choices: readonly T[],
): T | undefined => {
  const text = textFlag(flags, name)
  const found = choices.find((choice) => choice === text)
  if (text === undefined || found !== undefined) return found
  throw new ProblemError({
    code: 'cli/bad-flag',
    message: `--${name} ${text} is none of the choices`,
    where: { field: `--${name}` },
    remedy: `${suggestion(text, choices)}Choices: ${choices.join(', ')}.`,
  })
}

/** A whole number of at least `least`. @throws ProblemError `cli/bad-flag` */
export const countFlag = (flags: FlagValues, name: string, least = 1): number | undefined => {
  const text = textFlag(flags, name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least) return value
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  throw new ProblemError({
    code: 'cli/bad-flag',
    message: `${flag} ${text} is not a whole number of at least ${least}`,
    where: { field: flag },
    remedy: `Write ${flag} 10, for instance.`,
  })
}

/** US dollars, 0 or more. @throws ProblemError `cli/bad-flag` */
export const usdFlag = (flags: FlagValues, name: string): number | undefined => {
  const text = textFlag(flags, name)
  if (text === undefined) return undefined
  if (/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text)) return Number(text)
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  throw new ProblemError({
    code: 'cli/bad-flag',
    message: `${flag} ${text} is no amount of US dollars`,
    where: { field: flag },
    remedy: `Write ${flag} 2.50, for instance.`,
  })
}
