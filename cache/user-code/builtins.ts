const { defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames, is } = Object

/** Of these the whole process is made, ours as well as a user's code. */
const NAMES =
  'Array BigInt Boolean Buffer Date Error Function JSON Map Math Number Object Promise Reflect RegExp Set String Symbol Uint8Array WeakMap'.split(
    ' ',
  )

/** No result of ours hangs on it, and metrics that draw set it; stacks are only told. */
const FREE: ReadonlySet<string> = new Set(['Math.random', 'Error.stackTraceLimit', 'Error.prepareStackTrace'])

interface Builtin {
  readonly owner: object
  readonly key: string
  /** As people write it. */
  readonly name: string
  readonly own: PropertyDescriptor
}

let known: readonly Builtin[] | undefined

/** Remembers what is there, before a user's code runs for the first time. */
export const rememberBuiltins = (): void => {
  known ??= NAMES.flatMap((name) => {
    const value = Reflect.get(globalThis, name) as object & { readonly prototype?: object }
    const parts = [...of(value, name), ...(value.prototype ? of(value.prototype, `${name}.prototype`) : [])]
    return [...of(globalThis, '', [name]), ...parts]
  }).filter(({ name }) => !FREE.has(name))
}

const of = (owner: object, path: string, keys = getOwnPropertyNames(owner)): readonly Builtin[] =>
  keys.flatMap((key) => {
    const own = getOwnPropertyDescriptor(owner, key)
    return own === undefined ? [] : [{ owner, key, name: path === '' ? key : `${path}.${key}`, own }]
  })

/**
 * Puts back what a user's code replaced; what it added stays. Uses nothing that may have been replaced itself.
 * @returns the names, such as `Math.max`
 */
export const restoreBuiltins = (): readonly string[] => {
  const names: string[] = []
  const all = known ?? []
  let count = 0
  for (let index = 0; index < all.length; index += 1) {
    const { owner, key, name, own } = all[index] as Builtin
    const now = getOwnPropertyDescriptor(owner, key)
    if (now !== undefined && is(now.value, own.value) && now.get === own.get) continue
    names[count] = name
    count += 1
    try {
      defineProperty(owner, key, own)
    } catch {
      // It can't be put back, and is told.
    }
  }
  return names
}
