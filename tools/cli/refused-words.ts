import { Option } from 'commander'
import { ProblemError } from '../../cache/problems/problem.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { badFlag, listFlag, textFlag } from './flags.ts'
import type { Invocation, Verb } from './verb.ts'

/**
 * Full names that win where a prefix fits several: HELM's documentation writes `--schema` for `--schema-path`; helm-run has
 * no `--confirm`.
 */
const PREFERRED: Readonly<Record<string, string>> = { '--schema': '--schema-path', '--conf': '--conf-paths' }

/**
 * Writes flags as Python's argparse takes them: any prefix of a long one that fits no other is written out, and of `-o=DIR`
 * the value is `DIR`.
 *
 * @throws ProblemError `cli/ambiguous-flag`
 */
export const expandPrefixes = (argv: readonly string[], known: readonly string[]): string[] => {
  const end = argv.indexOf('--')
  return argv.map((word, index) => {
    if (end !== -1 && index >= end) return word
    if (!word.startsWith('--')) return word.replace(/^(-[a-z])=(?=.)/is, '$1')
    const [name = word, ...rest] = word.split('=')
    const value = rest.length > 0 ? `=${rest.join('=')}` : ''
    return known.includes(name) ? word : `${full(name, known)}${value}`
  })
}

const full = (name: string, known: readonly string[]): string => {
  const fitting = known.filter((flag) => flag.startsWith(name))
  if (fitting.length <= 1) return fitting[0] ?? name
  const preferred = PREFERRED[name]
  if (preferred !== undefined && fitting.includes(preferred)) return preferred
  throw new ProblemError({
    code: 'cli/ambiguous-flag',
    message: `${name} could mean ${fitting.join(' or ')}`,
    where: { field: name },
    remedy: 'Write the flag out.',
  })
}

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

/**
 * What a shell leaves: `"$DIR"` where DIR is not set would be the folder one stands in, `--store=~/evals` a folder
 * named `~` in it.
 *
 * @throws ProblemError `cli/missing-value`
 */
export const refuseShellsLeavings = (argv: readonly string[]): void => {
  const index = argv.findIndex((word) => /^(?:-[a-z]=|--[a-z\d-]+=)?(?:~(?:\/.*)?)?$/is.test(word))
  const word = argv[index]
  if (word === undefined) return
  const isHome = word.includes('~')
  const flag = /^-[a-z\d-]+/i.exec(word)?.[0] ?? argv[index - 1]
  throw new ProblemError({
    code: 'cli/missing-value',
    message: isHome
      ? `${word} holds a ~ that the shell left as it is`
      : `the value${flag === undefined ? '' : ` behind ${flag}`} is empty`,
    ...(flag?.startsWith('-') ? { where: { field: flag } } : {}),
    remedy: isHome
      ? 'Write the folder out, or $HOME in place of the ~.'
      : 'Write one, or leave it out; a variable of the shell that stands there is not set.',
  })
}

/**
 * For verbs of several commands: a flag that says whose it is, `verify: …`, is none of the others', who would leave it
 * unread.
 * @throws ProblemError `cli/bad-flag`
 */
export const refuseStrayFlags = (
  { name, commands = {}, flags: known }: Verb,
  { args: [command = ''], flags }: Pick<Invocation, 'args' | 'flags'>,
): void => {
  if (!Object.hasOwn(commands, command)) return
  const own: string[] = []
  const stray: { readonly flag: string; readonly owners: readonly string[] }[] = []
  for (const [written, told] of Object.entries(known)) {
    const option = new Option(written)
    const flag = option.long ?? ''
    const owners = ownersOf(typeof told === 'string' ? told : told[0], commands)
    if (owners.length === 0 || owners.includes(command)) own.push(flag)
    else if (flags[option.attributeName()] !== undefined) stray.push({ flag, owners })
  }
  const [first] = stray
  if (first !== undefined)
    throw badFlag(
      first.flag,
      `medmake ${name} ${command} takes no ${first.flag}, which is of ${first.owners.map((owner) => `medmake ${name} ${owner}`).join(', ')}`,
      `${suggestion(first.flag, own)}Leave it out, or see medmake ${name} --help.`,
    )
}

/** The commands before each colon; none where the flag is everyone's. */
const ownersOf = (text: string, commands: Readonly<Record<string, string>>): readonly string[] => {
  const [first = [], ...others] = text.split('; ').map((part) => {
    const names = /^([a-z]+(?:, [a-z]+)*)(?: --[a-z]+)?: /.exec(part)?.[1]?.split(', ') ?? []
    return names.every((each) => Object.hasOwn(commands, each)) ? names : []
  })
  return first.length === 0 ? [] : [...first, ...others.flat()]
}

/**
 * For commands whose `--suite` names the folder of entries: without entries it would be read over.
 * @throws ProblemError `cli/bad-flag`
 */
export const refuseStraySuite = ({ args, flags }: Pick<Invocation, 'args' | 'flags'>): void => {
  const folder = textFlag(flags, 'suite')
  const entries = ['confPaths', 'runEntries', 'runSpecs'].some((flag) => listFlag(flags, flag) !== undefined)
  if (folder !== undefined && !entries) throw suiteWithoutEntries(folder, args)
}

const suiteWithoutEntries = (folder: string, names: readonly string[]): ProblemError =>
  badFlag(
    '--suite',
    `--suite ${folder} names the folder of entries that --conf-paths and --run-entries give, and ${names.length > 0 ? `${names.join(', ')} ${names.length === 1 ? 'has its' : 'have their'} own` : 'there are none'}`,
    names.length > 0
      ? 'Leave it out; --output-path takes the results elsewhere.'
      : `Write the suite's name without the flag: ${folder}.`,
  )
