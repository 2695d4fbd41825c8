import { Option } from 'commander'
import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { badFlag } from '../flags.ts'
import type { Invocation, Verb } from '../verb.ts'

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

/** The commands before the colon; none where the flag is everyone's. */
const ownersOf = (text: string, commands: Readonly<Record<string, string>>): readonly string[] => {
  const names = /^([a-z]+(?:, [a-z]+)*)(?: --[a-z]+)?: /.exec(text)?.[1]?.split(', ') ?? []
  return names.every((each) => Object.hasOwn(commands, each)) ? names : []
}
