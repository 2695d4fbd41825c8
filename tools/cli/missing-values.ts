import { ProblemError } from '../../cache/problems/problem.ts'

interface Names {
  readonly long: string
  readonly short?: string
  readonly takesValue: boolean
}

const namesOf = (flags: string): Names => {
  const short = /(?:^|\s)(-[a-zA-Z])(?=[\s,]|$)/.exec(flags)?.[1]
  return {
    long: /--[a-z][a-z-]*/.exec(flags)?.[0] ?? '',
    takesValue: flags.includes('<'),
    ...(short === undefined ? {} : { short }),
  }
}

/** The value-taking flag that a word ends with: `--suite`, `-o`, `-do` with a `-d` that takes none. */
const openFlag = (word: string, known: readonly Names[]): Names | undefined => {
  if (word.startsWith('--')) return known.find(({ long, takesValue }) => takesValue && long === word)
  if (!/^-[a-zA-Z]+$/.test(word)) return undefined
  const letters = Array.from(word.slice(1), (letter) => known.find(({ short }) => short === `-${letter}`))
  const last = letters.pop()
  return last?.takesValue === true && letters.every((each) => each?.takesValue === false) ? last : undefined
}

/**
 * `--suite -d` would run a suite named `-d`, and not dry. Names that do begin with a dash are written `--suite=-d`.
 *
 * @param argv with long flags written out
 * @param flags as a verb declares them
 * @throws ProblemError `cli/missing-value`
 */
export const refuseMissingValues = (argv: readonly string[], flags: readonly string[]): void => {
  const known = flags.map(namesOf)
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  let isValue = false
  for (const [index, word] of words.entries()) {
    const open: Names | undefined = isValue ? undefined : openFlag(word, known)
    isValue = open !== undefined
    if (open === undefined) continue
    const next = words[index + 1]
    if (next !== undefined && !/^--?[a-zA-Z]/.test(next)) continue
    throw new ProblemError({
      code: 'cli/missing-value',
      message: `${word} needs a value${next === undefined ? '' : `, and ${next} is a flag`}`,
      where: { field: open.long },
      remedy: `Write ${open.long} and then its value${next === undefined ? '' : `; one that begins with a dash is written ${open.long}=${next}`}.`,
    })
  }
}
