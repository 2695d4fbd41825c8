import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { Action } from '../verb.ts'

/**
 * A verb whose first argument names one of several commands; each is given what follows it.
 * @param bare those that take nothing
 */
export const withCommands =
  (verb: string, commands: Readonly<Record<string, Action>>, bare: readonly string[] = []): Action =>
  async (invocation) => {
    const [name, ...args] = invocation.args
    const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
    if (name === undefined || command === undefined) throw unknownCommand(verb, name, Object.keys(commands))
    const [first] = args
    if (first !== undefined && bare.includes(name)) throw strayArgument(`medmake ${verb} ${name}`, first)
    return command({ ...invocation, args })
  }

/** What is shown would be taken for that of the word's. */
const strayArgument = (command: string, word: string): ProblemError =>
  new ProblemError({
    code: 'cli/bad-argument',
    message: `${command} takes flags alone, and ${word} is none`,
    remedy: `Leave it out; \`${command.split(' ', 2).join(' ')} --help\` lists the flags.`,
  })

const unknownCommand = (verb: string, name: string | undefined, known: readonly string[]): ProblemError =>
  new ProblemError({
    code: 'cli/unknown-command',
    message: name === undefined ? `medmake ${verb} wants a command` : `medmake ${verb} ${name} is no command`,
    remedy: `${suggestion(name ?? '', known)}Use ${known.map((each) => `medmake ${verb} ${each}`).join(', ')}.`,
  })

/** `YYYY-MM-DD` on this machine's calendar: the date that HELM writes into summary.json. */
export const localDate = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
