import { Option } from 'commander'
import { ProblemError } from '../../cache/problems/problem.ts'

/** The value-taking flag that a word ends with: `--suite`, `-o`, `-do` with a `-d` that takes none. */
const openFlag = (word: string, known: readonly Option[]): Option | undefined => {
  if (word.startsWith('--')) return known.find(({ long, required }) => required && long === word)
  if (!/^-[a-zA-Z]+$/.test(word)) return undefined
  const letters = Array.from(word.slice(1), (letter) => known.find(({ short }) => short === `-${letter}`))
  const last = letters.pop()
  return last?.required === true && letters.every((each) => each?.required === false) ? last : undefined
}

/**
 * `--suite -d` would run a suite named `-d`, and not dry. Names that do begin with a dash are written `--suite=-d`.
 *
 * @param argv with long flags written out
 * @param flags as a verb declares them
 * @throws ProblemError `cli/missing-value`
 */
export const refuseMissingValues = (argv: readonly string[], flags: readonly string[]): void => {
  const known = flags.map((each) => new Option(each))
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  let isValue = false
  for (const [index, word] of words.entries()) {
    const open: Option | undefined = isValue ? undefined : openFlag(word, known)
    isValue = open !== undefined
    if (open === undefined) continue
    const next = words[index + 1]
    if (next !== undefined && !/^--?[a-zA-Z]/.test(next)) continue
    const { long = word } = open
    throw new ProblemError({
      code: 'cli/missing-value',
      message: `${word} needs a value${next === undefined ? '' : `, and ${next} is a flag`}`,
      where: { field: long },
      remedy: `Write ${long} and then its value${next === undefined ? '' : `; one that begins with a dash is written ${long}=${next}`}.`,
    })
  }
}
