import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formatWithOptions } from 'node:util'
import { packageRoot, runsFromSource } from '../package-root.ts'
import { fieldOf, reasonOf } from '../problems/problem.ts'
import { discreetError, withheld } from '../problems/withheld.ts'

const exit = process.exit.bind(process)
const umask = process.umask.bind(process)

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
  [process, 'umask'],
  [process.stdout, 'write'],
  ...CONSOLE.map((name) => [console, name] as const),
]

let release: (() => void) | undefined
let listens = false

/**
 * A user's code runs in this very process: from its first import on `process.exit` and setting the umask throw, what it
 * prints goes to stderr, as results own stdout, and an error that it leaves behind is kept to be told instead of ending the
 * work of others.
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
  process.umask = (mask?: string | number): number => {
    if (mask !== undefined)
      throw new Error('it called process.umask, which decides who may read the files of the whole run')
    return umask()
  }
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

/** Frames without a file, or in one of Node's own. */
const NOBODYS = /[ (](?:node:\S+|<anonymous>|native|wasm:\S+|index \d+)\)?$/

/** Where all that runs of ours lies; packages are called by ours as well as by a user's code. */
const ours = (): string => pathToFileURL(join(packageRoot(), runsFromSource ? '' : 'dist', '/')).href

/**
 * A user's code has the name of its content behind its own. What it imports, and a worker that it starts, have files that are
 * not ours; of what it left to Node, such as a request, the stack holds Node's own at most. Ours throws errors only.
 */
export const isStray = (stack: string): boolean => {
  const frames = stack.split('\n').filter((line) => /^ +at /.test(line) && !NOBODYS.test(line))
  const isOurs = (frame: string): boolean => /[\\/]node_modules[\\/]/.test(frame) || frame.includes(ours())
  return frames.length === 0 || frames.some((frame) => frame.includes('?code=') || !isOurs(frame))
}

const keepStray = (error: unknown): void => {
  const found = fieldOf(error, 'stack')
  const stack = typeof found === 'string' ? found : ''
  if (isStray(stack)) {
    strays.push(reasonOf(error))
    return
  }
  process.stderr.write(`${isDiscreet ? String((discreetError(error) as Error).stack) : stack}\n`)
  endProcess(1)
}

const { defineProperty, deleteProperty, get, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect
const { is } = Object

/** Of these the whole process is made, ours as well as a user's code. */
const NAMES =
  'AbortController AbortSignal Array ArrayBuffer BigInt Boolean Buffer DataView Date Error Float64Array Function Int32Array JSON Map Math Number Object Promise Reflect RegExp Set String Symbol TextDecoder TextEncoder URL URLSearchParams Uint32Array Uint8Array WeakMap WeakRef WeakSet clearImmediate clearInterval clearTimeout queueMicrotask setImmediate setInterval setTimeout'.split(
    ' ',
  )
const INTL = ['Collator', 'DateTimeFormat', 'NumberFormat', 'PluralRules', 'Segmenter'] as const

/** No result of ours hangs on it, and metrics that draw set it; stacks are only told. */
const FREE: ReadonlySet<string> = new Set([
  'Math.random',
  'Error.stackTraceLimit',
  'Error.prepareStackTrace',
  // Replaced by graceful-fs, which many packages import, with what does the same.
  'fs.close',
  'fs.closeSync',
])

interface Builtin {
  readonly owner: object
  readonly key: PropertyKey
  /** As people write it. */
  readonly name: string
  readonly own: PropertyDescriptor
}

const above = (value: object): object => getPrototypeOf(value) as object

/** What stands, under no name of its own, behind loops, generators and arrays of numbers. */
const unnamed = (): readonly (readonly [object, string])[] => {
  const iterators = [
    [].values(),
    new Map().keys(),
    new Set().keys(),
    ''[Symbol.iterator](),
    ''.matchAll(/a/g),
  ]
  const generators = [(function* () {})(), (async function* () {})()]
  return [
    ...iterators.map(above),
    above(above([].values())),
    ...generators.map((each) => above(above(each))),
    above(Uint8Array.prototype),
    ...INTL.map((name) => Intl[name].prototype),
  ].map((owner) => [owner, String(get(owner, Symbol.toStringTag) ?? 'TypedArray')] as const)
}

const GLOBAL = { configurable: true, enumerable: false, writable: true }

/** Node gives some by a getter, behind which a new value would not show. */
const ofGlobal = (name: string, value: unknown): Builtin => ({
  owner: globalThis,
  key: name,
  name,
  own: { ...GLOBAL, value },
})

let known: readonly Builtin[] | undefined
/** Names of what was replaced since it was last asked, each once. */
let told: string[] = []
/** What can't be put back is found anew at each call, and code may add a new name at each. */
const MOST_TOLD = 100

const tell = (name: string): void => {
  for (let index = 0; index < told.length; index += 1) if (told[index] === name) return
  if (told.length < MOST_TOLD) told[told.length] = name
}

/** Remembers what is there, before a user's code runs for the first time. */
export const rememberBuiltins = (): void => {
  known ??= NAMES.flatMap((name) => {
    const value = get(globalThis, name) as object & { readonly prototype?: object }
    const parts = [...of(value, name), ...(value.prototype ? of(value.prototype, `${name}.prototype`) : [])]
    return [ofGlobal(name, value), ...parts]
  })
    .concat(unnamed().flatMap(([owner, name]) => of(owner, name)))
    .concat(
      ['process', 'Intl', 'performance', 'structuredClone'].map((name) =>
        ofGlobal(name, get(globalThis, name)),
      ),
    )
    .concat(of(process, 'process', ['nextTick']))
    .concat(functionsOf(fs, 'fs'), functionsOf(fs.promises, 'fs.promises'))
    .filter(({ name }) => !FREE.has(name))
}

const of = (owner: object, path: string, keys: readonly PropertyKey[] = ownKeys(owner)): readonly Builtin[] =>
  keys.flatMap((key) => {
    const own = getOwnPropertyDescriptor(owner, key)
    const text = typeof key === 'symbol' ? `[${key.description}]` : `.${String(key)}`
    return own === undefined ? [] : [{ owner, key, name: `${path}${text}`, own }]
  })

const functionsOf = (owner: object, path: string): readonly Builtin[] =>
  of(owner, path).filter(({ own }) => typeof own.value === 'function')

const AT_FIRST = ownKeys(Object.prototype).length

/** What is added to every object there is changes all of them. */
const dropAdded = (): void => {
  const keys = ownKeys(Object.prototype)
  for (let index = AT_FIRST; index < keys.length; index += 1) {
    const key = keys[index] as PropertyKey
    deleteProperty(Object.prototype, key)
    // A name may be a word of a text, put together by code.
    tell(typeof key === 'symbol' || isDiscreet ? 'Object.prototype[…]' : `Object.prototype.${key}`)
  }
}

const isAsItWas = ({ owner, key, own }: Builtin): boolean => {
  // Most are plain values, which are looked at in a tenth of the time.
  if (own.get === undefined && own.set === undefined) return is((owner as Indexed)[key], own.value)
  return getOwnPropertyDescriptor(owner, key)?.get === own.get
}

type Indexed = Readonly<Record<PropertyKey, unknown>>

/**
 * Puts back what a user's code replaced; what it added stays, but on all objects. To be called after each call of such
 * code, before anything else is reckoned, for that would be kept under the key of what it should have been. Uses nothing
 * that may have been replaced itself.
 */
export const putBuiltinsBack = (): void => {
  dropAdded()
  const all = known ?? []
  let isOfNode = false
  for (let index = 0; index < all.length; index += 1) {
    const each = all[index] as Builtin
    if (isAsItWas(each)) continue
    tell(each.name)
    defineProperty(each.owner, each.key, each.own)
    isOfNode ||= each.owner === fs || each.owner === fs.promises
  }
  // What was imported by name is another variable.
  if (isOfNode) syncBuiltinESMExports()
}

/** Puts back what was replaced. @returns the names of all that was since it was last asked, such as `Math.max` */
export const restoreBuiltins = (): readonly string[] => {
  putBuiltinsBack()
  const names = told
  told = []
  return names
}

/** The same of what nothing put back so far: what a call of other code replaced stays to be told. */
export const restoreNew = (): readonly string[] => {
  const before = told
  told = []
  const names = restoreBuiltins()
  told = before
  return names
}
