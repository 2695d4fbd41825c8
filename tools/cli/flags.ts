import { resolve } from 'node:path'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { FlagValues, Invocation } from './verb.ts'

export const textFlag = (flags: FlagValues, name: string): string | undefined => {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

export const listFlag = (flags: FlagValues, name: string): readonly string[] | undefined => {
  const value = flags[name]
  return typeof value === 'object' ? value : undefined
}

export const boolFlag = (flags: FlagValues, name: string): boolean => flags[name] === true

/** A file or folder as an absolute path. */
export const pathFlag = (
  { flags, cwd }: Pick<Invocation, 'flags' | 'cwd'>,
  name: string,
): string | undefined => {
  const text = textFlag(flags, name)
  return text === undefined ? undefined : resolve(cwd, text)
}

/** A flag as users write it, by its camelCase name: `--max-usd`. */
export const flagNamed = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** @param flag as users write it */
export const badFlag = (flag: string, message: string, remedy: string, cause?: unknown): ProblemError =>
  new ProblemError({ code: 'cli/bad-flag', message, where: { field: flag }, remedy }, { cause })

export const missingArgument = (message: string, remedy: string): ProblemError =>
  new ProblemError({ code: 'cli/missing-argument', message, remedy })

/** @param field the argument as the help names it, or the flag that it does not go with */
export const badArgument = (field: string, message: string, remedy: string): ProblemError =>
  new ProblemError({ code: 'cli/bad-argument', message, where: { field }, remedy })

/**
 * @param instead what to do in place of each flag that has no counterpart, by its camelCase name
 * @throws ProblemError `cli/unsupported-flag`: a flag that would silently do nothing is worse than none
 */
export const refuseUnsupported = (flags: FlagValues, instead: Readonly<Record<string, string>>): void => {
  const problems = Object.entries(instead)
    .filter(([name]) => flags[name] !== undefined)
    .map(([name, remedy]) => ({
      code: 'cli/unsupported-flag',
      message: `${flagNamed(name)} is not supported`,
      where: { field: flagNamed(name) },
      remedy,
    }))
  if (problems.length > 0) throw new ProblemError(problems)
}

/** @throws ProblemError `cli/bad-flag` for flags that only another gives a meaning, without it */
export const requireBeside = (flags: FlagValues, other: string, names: readonly string[]): void => {
  const lone = flags[other] === undefined ? names.find((name) => flags[name] !== undefined) : undefined
  if (lone === undefined) return
  const [flag, missing] = [flagNamed(lone), flagNamed(other)]
  throw badFlag(flag, `${flag} says nothing without ${missing}`, `Add ${missing}, or leave it out.`)
}

/** @throws ProblemError `cli/bad-flag` for flags that another leaves unread, beside it */
export const refuseBeside = (flags: FlagValues, other: string, names: readonly string[]): void => {
  const unread = flags[other] === undefined ? undefined : names.find((name) => flags[name] !== undefined)
  if (unread === undefined) return
  const flag = flagNamed(unread)
  throw badFlag(flag, `${flag} says nothing beside ${flagNamed(other)}`, 'Leave one of them out.')
}

/**
 * The name of a suite or release, which becomes the name of a folder.
 * @throws ProblemError `cli/bad-flag`
 */
export const nameFlag = (flags: FlagValues, name: string): string | undefined => {
  const text = textFlag(flags, name)
  return text === undefined ? undefined : folderName(text, flagNamed(name))
}

/** Several of them. @throws ProblemError `cli/bad-flag` */
export const namesFlag = (flags: FlagValues, name: string): readonly string[] | undefined =>
  listFlag(flags, name)?.map((text) => folderName(text, flagNamed(name)))

const folderName = (text: string, flag: string): string => {
  if (/^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(text)) return text
  throw badFlag(
    flag,
    `${flag} ${JSON.stringify(text)} is no name of a folder`,
    `Write a name without / and \\ that does not begin with a dot, such as ${flag} main.`,
  )
}

/** One of a few words. @throws ProblemError `cli/bad-flag` */
export const choiceFlag = <T extends string>(
  flags: FlagValues,
  name: string,
  choices: readonly T[],
): T | undefined => {
  const text = textFlag(flags, name)
  return text === undefined ? undefined : choiceOf(text, flagNamed(name), choices)
}

/** @param flag as users write it. @throws ProblemError `cli/bad-flag` */
export const choiceOf = <T extends string>(text: string, flag: string, choices: readonly T[]): T => {
  const found = choices.find((choice) => choice === text)
  if (found !== undefined) return found
  throw badFlag(
    flag,
    `${flag} ${text} is none of the choices`,
    `${suggestion(text, choices)}Choices: ${choices.join(', ')}.`,
  )
}

/** A kind of number that a flag may have to be. */
interface Kind {
  readonly digits: RegExp
  readonly fits: (value: number) => boolean
  /** E.g. `is no amount of US dollars`. */
  readonly misfit: string
  readonly example: string
}

/** What is counted here never comes near, and files tell greater numbers as 1e+20, which is none of Python's whole ones. */
const MOST = 1_000_000_000
const DECIMAL = /^(?:\d+(?:\.\d+)?|\.\d+)$/
const USD: Kind = {
  digits: DECIMAL,
  fits: () => true,
  misfit: 'is no amount of US dollars',
  example: '2.50',
}
const POINTS: Kind = {
  digits: DECIMAL,
  fits: (value) => value > 0,
  misfit: 'is no number of points above 0',
  example: '0.15',
}
const SHARE: Kind = {
  digits: DECIMAL,
  fits: (value) => value <= 1,
  misfit: 'is no share from 0 to 1',
  example: '0.3',
}

const numberOf = (
  flags: FlagValues,
  name: string,
  { digits, fits, misfit, example }: Kind,
): number | undefined => {
  const text = textFlag(flags, name)
  if (text === undefined) return undefined
  if (digits.test(text) && fits(Number(text))) return Number(text)
  const flag = flagNamed(name)
  throw badFlag(flag, `${flag} ${text} ${misfit}`, `Write ${flag} ${example}, for instance.`)
}

/** A whole number of at least `least`, below `limit`. @throws ProblemError `cli/bad-flag` */
export const countFlag = (flags: FlagValues, name: string, least = 1, limit = MOST): number | undefined =>
  numberOf(flags, name, {
    digits: /^\d+$/,
    fits: (value) => value >= least && value < limit,
    misfit: `is not a whole number of at least ${least}, and below ${limit === MOST ? 'a billion' : limit.toLocaleString('en')}`,
    example: '10',
  })

/** Of this machine; 0 is any that is free. @throws ProblemError `cli/bad-flag` */
export const portFlag = (flags: FlagValues): number | undefined =>
  numberOf(flags, 'port', {
    digits: /^\d+$/,
    fits: (value) => value <= 65_535,
    misfit: 'is no port: they end at 65535',
    example: '8100',
  })

/** US dollars, 0 or more. @throws ProblemError `cli/bad-flag` */
export const usdFlag = (flags: FlagValues, name: string): number | undefined => numberOf(flags, name, USD)

/** A number of points above 0. @throws ProblemError `cli/bad-flag` */
export const pointsFlag = (flags: FlagValues, name: string): number | undefined =>
  numberOf(flags, name, POINTS)

/** From 0 to 1. @throws ProblemError `cli/bad-flag` */
export const shareFlag = (flags: FlagValues, name: string): number | undefined => numberOf(flags, name, SHARE)
