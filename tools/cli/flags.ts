import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { FlagValues } from './verb.ts'

export const textFlag = (flags: FlagValues, name: string): string | undefined => {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

export const listFlag = (flags: FlagValues, name: string): readonly string[] | undefined => {
  const value = flags[name]
  return typeof value === 'object' ? value : undefined
}

/**
 * The name of a suite or release, which becomes the name of a folder.
 * @throws ProblemError `cli/bad-flag`
 */
export const nameFlag = (flags: FlagValues, name: string): string | undefined => {
  const text = textFlag(flags, name)
  return text === undefined ? undefined : folderName(text, name)
}

/** Several of them. @throws ProblemError `cli/bad-flag` */
export const namesFlag = (flags: FlagValues, name: string): readonly string[] | undefined =>
  listFlag(flags, name)?.map((text) => folderName(text, name))

const folderName = (text: string, name: string): string => {
  if (/^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(text)) return text
  return refused(name, (flag) => ({
    message: `${flag} ${JSON.stringify(text)} is no name of a folder`,
    remedy: `Write a name without / and \\ that does not begin with a dot, such as ${flag} main.`,
  }))
}

/** @throws ProblemError `cli/bad-flag`, of the flag as users write it */
const refused = (
  name: string,
  told: (flag: string) => { readonly message: string; readonly remedy: string },
): never => {
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  throw new ProblemError({ code: 'cli/bad-flag', ...told(flag), where: { field: flag } })
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
  return refused(name, (flag) => ({
    message: `${flag} ${text} is none of the choices`,
    remedy: `${suggestion(text, choices)}Choices: ${choices.join(', ')}.`,
  }))
}

/** A whole number of at least `least`. @throws ProblemError `cli/bad-flag` */
export const countFlag = (flags: FlagValues, name: string, least = 1): number | undefined => {
  const text = textFlag(flags, name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least) return value
  return refused(name, (flag) => ({
    message: `${flag} ${text} is not a whole number of at least ${least}`,
    remedy: `Write ${flag} 10, for instance.`,
  }))
}

/** US dollars, 0 or more. @throws ProblemError `cli/bad-flag` */
export const usdFlag = (flags: FlagValues, name: string): number | undefined => {
  const text = textFlag(flags, name)
  if (text === undefined) return undefined
  if (/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text)) return Number(text)
  return refused(name, (flag) => ({
    message: `${flag} ${text} is no amount of US dollars`,
    remedy: `Write ${flag} 2.50, for instance.`,
  }))
}
