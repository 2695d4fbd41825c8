import { formatWithOptions } from 'node:util'
import { reasonOf } from '../problems/reason.ts'
import { discreetError, withheld } from '../problems/withheld.ts'

const exit = process.exit.bind(process)

/** Ends the process whatever a user's code may not do. */
export const endProcess = (code: number): never => {
  releaseProcess()
  return exit(code)
}

const strays: string[] = []
let isDiscreet = false

/** What errors say that a user's code left behind, of which nothing tells what they spoiled; since the process began. */
export const strayErrors = (): readonly string[] => (isDiscreet ? strays.map(withheld) : strays)

/** Code may have read texts that are not public: of what nobody awaits nothing tells which code it was. */
export const withholdStrays = (): void => {
  isDiscreet = true
}

let holds = false

/** Code of a user was left behind unfinished, and may hold the process open. */
export const leaveBehind = (): void => {
  holds = true
}

/** Milliseconds in which what a user's code began beside its work may end by itself. */
const LINGER = 1000

/** Ends the process under its exit code, once all is written, where something was left behind. */
export const endLeftBehind = async (): Promise<void> => {
  if (holds) await endWritten()
  // Fires only where a timer, a socket, a worker or a process of such code would keep this one for ever.
  else if (listens) setTimeout(() => void endWritten(), LINGER).unref()
}

const endWritten = async (): Promise<void> => {
  const streams = [process.stdout, process.stderr]
  while (streams.some(({ destroyed, writableLength }) => !destroyed && writableLength > 0))
    await new Promise((resolve) => setTimeout(resolve, 10))
  endProcess(Number(process.exitCode ?? 0))
}

const CONSOLE = ['log', 'info', 'debug'] as const
/** What a user's code may not use as it is, by what holds it. */
const GUARDED: readonly (readonly [object, string])[] = [
  [process, 'exit'],
  // Node's own, beneath it.
  [process, 'reallyExit'],
  [process.stdout, 'write'],
  ...CONSOLE.map((name) => [console, name] as const),
]

let release: (() => void) | undefined
let listens = false

/**
 * A user's code runs in this very process: from its first import on `process.exit` throws, what it prints goes to stderr,
 * as results own stdout, and an error that it leaves behind is kept to be told instead of ending the work of others.
 */
export const guardProcess = (): void => {
  if (release !== undefined) return
  const before = GUARDED.map(([owner, name]) => [owner, name, Reflect.get(owner, name) as unknown] as const)
  release = () => {
    for (const [owner, name, own] of before) Reflect.set(owner, name, own)
  }
  for (const name of ['exit', 'reallyExit'])
    Reflect.set(process, name, () => {
      throw new Error(`it called process.${name}, which would end the whole run`)
    })
  process.stdout.write = process.stderr.write.bind(process.stderr)
  // Node's console keeps the stream that it began with.
  for (const name of CONSOLE)
    console[name] = (...said: unknown[]) => void process.stderr.write(`${formatWithOptions({}, ...said)}\n`)
  if (listens) return
  listens = true
  process.on('uncaughtException', keepStray)
  process.on('unhandledRejection', keepStray)
}

/** The work is done: a process of somebody else's, such as Nx, prints and ends as it will, until code is run again. */
export const releaseProcess = (): void => {
  release?.()
  release = undefined
}

/**
 * A user's code has the name of its content behind its own; of what it left to Node, such as a request, the stack holds
 * Node's own files at most. Ours throws errors only.
 */
const keepStray = (error: unknown): void => {
  const stack = error instanceof Error ? String(error.stack) : ''
  if (stack.includes('?code=') || !/^ +at (?!.*\bnode:)/m.test(stack)) {
    strays.push(reasonOf(error))
    return
  }
  process.stderr.write(`${isDiscreet ? String((discreetError(error) as Error).stack) : stack}\n`)
  endProcess(1)
}
