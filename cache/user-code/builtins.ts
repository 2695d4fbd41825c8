const { defineProperty, deleteProperty, get, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect
const { is } = Object

/** Of these the whole process is made, ours as well as a user's code. */
const NAMES =
  'AbortController AbortSignal Array ArrayBuffer BigInt Boolean Buffer DataView Date Error Float64Array Function Int32Array JSON Map Math Number Object Promise Reflect RegExp Set String Symbol TextDecoder TextEncoder URL URLSearchParams Uint32Array Uint8Array WeakMap WeakRef WeakSet clearImmediate clearInterval clearTimeout queueMicrotask setImmediate setInterval setTimeout'.split(
    ' ',
  )
const INTL = ['Collator', 'DateTimeFormat', 'NumberFormat', 'PluralRules', 'Segmenter'] as const

/** No result of ours hangs on it, and metrics that draw set it; stacks are only told. */
const FREE: ReadonlySet<string> = new Set(['Math.random', 'Error.stackTraceLimit', 'Error.prepareStackTrace'])

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
    // Node gives some by a getter, behind which a new value would not show.
    return [{ owner: globalThis, key: name, name, own: { ...GLOBAL, value } }, ...parts]
  })
    .concat(unnamed().flatMap(([owner, name]) => of(owner, name)))
    .concat(of(process, 'process', ['nextTick']))
    .filter(({ name }) => !FREE.has(name))
}

const of = (owner: object, path: string, keys: readonly PropertyKey[] = ownKeys(owner)): readonly Builtin[] =>
  keys.flatMap((key) => {
    const own = getOwnPropertyDescriptor(owner, key)
    const text = typeof key === 'symbol' ? `[${key.description}]` : `.${String(key)}`
    return own === undefined ? [] : [{ owner, key, name: `${path}${text}`, own }]
  })

const AT_FIRST = ownKeys(Object.prototype).length

/** What is added to every object there is changes all of them. */
const dropAdded = (): void => {
  const keys = ownKeys(Object.prototype)
  for (let index = AT_FIRST; index < keys.length; index += 1) {
    const key = keys[index] as PropertyKey
    deleteProperty(Object.prototype, key)
    tell(typeof key === 'symbol' ? 'Object.prototype[symbol]' : `Object.prototype.${key}`)
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
  for (let index = 0; index < all.length; index += 1) {
    const each = all[index] as Builtin
    if (isAsItWas(each)) continue
    tell(each.name)
    defineProperty(each.owner, each.key, each.own)
  }
}

/** Puts back what was replaced. @returns the names of all that was since it was last asked, such as `Math.max` */
export const restoreBuiltins = (): readonly string[] => {
  putBuiltinsBack()
  const names = told
  told = []
  return names
}
