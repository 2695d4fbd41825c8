import { Command, CommanderError, Option } from 'commander'
import { CODE } from '../../cache/package-root.ts'
import { useProxyEverywhere } from '../../cache/network/proxy.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { EXIT, ProblemError, type ExitCode, type Problem } from '../../cache/problems/problem.ts'
import { restoreBuiltins, strayErrors, endLeftBehind } from '../../cache/user-code/guards.ts'
import { tellEndless } from '../../cache/user-code/bounded-call.ts'
import { asProblem, writeProblem } from '../../cache/store-problems.ts'
import {
  refuseStrayFlags,
  refuseStraySuite,
  expandPrefixes,
  refuseMissingValues,
  refuseShellsLeavings,
} from './refused-words.ts'
import { formatProblems } from './output/print-problems.ts'
import type { FlagValues, Invocation, Verb } from './verb.ts'
import { VERB_GROUPS, VERBS } from './verbs.ts'

/** Runs the CLI on `argv` (without node and script) and returns the exit code. Never throws for a user's mistake. */
export const main = async (argv: readonly string[], alias?: string): Promise<ExitCode> => {
  tellEndless((problem) => tell([problem]))
  try {
    useProxyEverywhere()
    return await dispatch(argv, alias)
  } catch (thrown) {
    const error = asProblem(thrown)
    if (error instanceof CommanderError)
      // commander ends `help` with the code that the process would have ended with before anything was done.
      return error.exitCode === 0 || argv[0] === 'help' ? EXIT.done : EXIT.badInput
    if (error instanceof ProblemError) {
      tell(error.problems)
      return error.exitCode
    }
    throw withoutSecrets(error)
  }
}

const tell = (problems: readonly Problem[]): void =>
  void process.stderr.write(`${hide(formatProblems(problems, process.stderr.hasColors?.() ?? false))}\n`)

/** By the environment as it is when the text is shown. */
const hide = (text: string): string => secretHider(process.env)(text)

const withoutSecrets = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  error.message = hide(error.message)
  if (error.stack !== undefined) error.stack = hide(error.stack)
  return error
}

const dispatch = async (argv: readonly string[], alias: string | undefined): Promise<ExitCode> => {
  let code: ExitCode = EXIT.done
  const finish = (result: ExitCode): void => {
    code = result
  }
  const verb = VERBS.find(({ name }) => name === (alias ?? argv[0]))
  const rest = alias === undefined ? argv.slice(1) : argv
  const words = verb === undefined ? [...argv] : expandPrefixes(rest, longNames(verb))
  if (verb !== undefined) {
    refuseMissingValues(words, flagsOf(verb))
    refuseShellsLeavings(words)
  }
  if (alias !== undefined && verb !== undefined) {
    await command(verb, finish, ALIASES[alias] ?? alias, true).parseAsync(words, { from: 'user' })
    return code
  }
  const asked = argv[0] === 'help' ? argv[1] : argv[0]
  if (verb === undefined && asked !== undefined && !asked.startsWith('-') && !isVerb(asked))
    throw unknownVerb(asked)
  // `help run` shows any verb's flags.
  const root = program(finish, argv[0] === 'help' ? VERBS : [verb])
  await root.parseAsync(verb === undefined ? words : [verb.name, ...words], { from: 'user' })
  return code
}

const isVerb = (name: string): boolean => name === 'help' || VERBS.some((verb) => verb.name === name)

const unknownVerb = (name: string): ProblemError => {
  const known = VERBS.map((verb) => verb.name)
  const own = Object.keys(ALIASES).find((verb) => ALIASES[verb] === name.replace(/^medhelm-/, 'helm-'))
  return new ProblemError({
    code: 'cli/unknown-command',
    message: `medmake ${name} is no command`,
    remedy:
      own === undefined
        ? `${suggestion(name, known)}medmake --help lists them.`
        : `What HELM calls ${name} is \`medmake ${own}\`; with HELM's rules for flags it is the program ${ALIASES[own]}, which comes with medmake.`,
  })
}

/** HELM's command names by our verbs. */
const ALIASES: Readonly<Record<string, string>> = {
  run: 'helm-run',
  summarize: 'helm-summarize',
  serve: 'helm-server',
}

const program = (finish: (code: ExitCode) => void, inFull: readonly (Verb | undefined)[]): Command => {
  const root = new Command('medmake')
    .description('Medical LLM evaluation as a build graph.')
    .version(CODE.version)
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('  medmake --help lists the commands.')
    .commandsGroup('Help:')
    .helpCommand(true)
    .addHelpText(
      'after',
      '\nDefaults of a workspace stand in medmake.yaml; `medmake settings` shows every one.\nBuilt-in suites: medhelm-0.5.16, medhelm-0.8, medhelm-paper; with -public, -gated or -private behind it a part of one.\nhealth-bench: HealthBench as its authors score it; demo: three small benchmarks of our own, offline. With -reasoning behind a name the same for models that reason.\nModels come by --models-to-run, or by suites.NAME.models in medmake.yaml.\n\nExample:\n  medmake run demo\n  medmake run --help',
    )
  for (const [group, verbs] of Object.entries(VERB_GROUPS))
    for (const verb of verbs) {
      const shown = inFull.includes(verb) ? verb : withoutFlags(verb)
      root.addCommand(command(shown, finish, verb.name, false).helpGroup(`${group}:`))
    }
  return root
}

/** All but one: that it has some is all that is shown of them. */
const withoutFlags = (verb: Verb): Verb => ({
  ...verb,
  flags: Object.fromEntries(Object.entries(verb.flags).slice(0, 1)),
  hidden: {},
})

const flagsOf = ({ flags, hidden = {} }: Verb): readonly string[] => Object.keys({ ...flags, ...hidden })

const longNames = (verb: Verb): readonly string[] => [
  ...flagsOf(verb).flatMap((flags) => new Option(flags).long ?? []),
  '--help',
]

/** The verb as HELM's program of it is: flags alone, and what these ask for there. */
const asHelm = (verb: Verb): Verb => {
  const { args: _, ...own } = verb
  return {
    ...own,
    flags: { ...own.flags, ...own.asHelm?.flags },
    examples: own.asHelm === undefined ? [] : [own.asHelm.example],
  }
}

const command = (
  given: Verb,
  finish: (code: ExitCode) => void,
  name: string,
  strictHelm: boolean,
): Command => {
  const verb = strictHelm ? asHelm(given) : given
  const result = new Command(name)
    .description(verb.summary)
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError(`  ${strictHelm ? name : `medmake ${name}`} --help shows what it takes.`)
  if (verb.args !== undefined) result.arguments(verb.args)
  for (const [flags, told] of Object.entries(verb.flags))
    result.addOption(new Option(flags, typeof told === 'string' ? told : `${told[0]} (default: ${told[1]})`))
  for (const flags of Object.keys(verb.hidden ?? {})) result.addOption(new Option(flags).hideHelp())
  if (verb.commands !== undefined)
    result.addHelpText('after', `\nCommands:\n${commandLines(verb.commands).join('\n')}`)
  result.addHelpText('after', `\nExample:\n${verb.examples.map((example) => `  ${example}`).join('\n')}`)
  result.action(async () => {
    const action = await verb.load()
    const called = invocation(result, strictHelm)
    refuseStrayFlags(verb, called)
    if (!strictHelm && '-r, --run-entries <entries...>' in verb.flags) refuseStraySuite(called)
    const code = await action(called)
    const isIncomplete = refuseStrays() || called.leftOut.length > 0
    finish(isIncomplete && code === EXIT.done ? EXIT.incomplete : code)
  })
  return result
}

const commandLines = (commands: Readonly<Record<string, string>>): readonly string[] => {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  return Object.entries(commands).map(([name, what]) => `  ${name.padEnd(width)}  ${what}`)
}

/** Tells of errors that nobody awaited, and of what was replaced while code was called. @returns whether there were any */
const refuseStrays = (): boolean => {
  const replaced = restoreBuiltins()
  const problems = [...new Set(strayErrors())].map((reason) => ({
    code: 'code/stray-error',
    message: `a workspace's own code left an error behind: ${reason}`,
    remedy: 'Let it await all that it begins: what the error spoiled nobody can tell.',
  }))
  if (replaced.length > 0)
    problems.push({
      code: 'code/replaced-builtin',
      message: `a workspace's own code replaced ${replaced.join(', ')}, on which every result rests`,
      remedy: 'Let it leave that alone, and run again: code that changes makes its results anew.',
    })
  if (problems.length > 0) tell(problems)
  return problems.length > 0
}

/** Results' own: what a user's code prints goes elsewhere. */
const writeResult = (): ((text: string) => void) => {
  const write = process.stdout.write.bind(process.stdout)
  return (text) => void write(`${hide(text)}\n`)
}

const invocation = (parsed: Command, strictHelm: boolean): Invocation => ({
  args: parsed.args,
  flags: parsed.opts<FlagValues>(),
  cwd: process.cwd(),
  env: process.env,
  print: writeResult(),
  warn: (text) => void process.stderr.write(`${hide(text)}\n`),
  leftOut: [],
  strictHelm,
})

const SECRET_NAMES = /(?:_API_KEY|_TOKEN|_SECRET|_PASSWORD)$|^(?:MEDMAKE_VAULT_KEY|HELM_CREDENTIALS)$/

/** Shorter values turn up in texts by chance. */
const SHORTEST = 8

/** Makes the last look at what is printed: keys and tokens of the environment become `[NAME]`. */
export const secretHider = (env: NodeJS.ProcessEnv): ((text: string) => string) => {
  const secrets = Object.entries(env)
    .filter(
      (entry): entry is [string, string] =>
        SECRET_NAMES.test(entry[0]) && (entry[1] ?? '').length >= SHORTEST,
    )
    .sort(([, a], [, b]) => b.length - a.length)
  return (text) => secrets.reduce((shown, [name, secret]) => shown.replaceAll(secret, `[${name}]`), text)
}

/** The last line of every bin: exit codes are set, not forced, so that output is flushed; code that never ends is not waited for. */
export const start = async (alias?: string): Promise<void> => {
  tellLostOutput()
  // Node ends a process that has nothing left to do, whatever is still awaited.
  process.exitCode = EXIT.incomplete
  try {
    process.exitCode = await main(process.argv.slice(2), alias)
  } catch (error) {
    // Ours: whatever a user's code left behind does not hide it.
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    process.exitCode = EXIT.incomplete
  }
  await endLeftBehind()
}

/** Whoever read along (`| head`) may stop; the work goes on. What a full disk did not take is told at the end. */
const tellLostOutput = (): void => {
  let isLost = false
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || isLost) return
      isLost = true
      process.once('exit', () => {
        process.stderr.write(`${formatProblems(writeProblem('output', error).problems, false)}\n`)
        process.exitCode ||= EXIT.incomplete
      })
    })
}
