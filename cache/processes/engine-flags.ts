import { setFlagsFromString } from 'node:v8'

/** Flags of V8 that a process may set on its way. It takes compiled code only under the flags that it was made with. */
interface Flags {
  readonly 'interrupt-budget': number
  readonly 'heap-growing-percent': number
}

/** Where nobody sets any: what V8 11 has, and what Node's own modules were compiled under. */
const NODES: Flags = { 'interrupt-budget': 67_584, 'heap-growing-percent': 0 }

let ofStart = NODES
let now = NODES

const use = (flags: Flags): void => {
  for (const name of Object.keys(flags) as (keyof Flags)[])
    if (flags[name] !== now[name]) setFlagsFromString(`--${name}=${flags[name]}`)
  now = flags
}

const under = <T>(flags: Flags, work: () => T): T => {
  const before = now
  use(flags)
  try {
    return work()
  } finally {
    use(before)
  }
}

/** Flags that every start of a program has in common. */
export const startUnder = (flags: Partial<Flags>): void => {
  ofStart = { ...NODES, ...flags }
  use(ofStart)
}

/**
 * For a long run. Most of what it makes is garbage at once; left alone, V8 lets the heap grow to a multiple of what lives.
 */
export const growHeapLeast = (): void => use({ ...now, 'heap-growing-percent': 20 })

/** Does what takes or makes compiled code of ours, whatever a run set since. */
export const underStartFlags = <T>(work: () => T): T => under(ofStart, work)

/** Does what loads modules of Node: compiled anew they take twice the time. */
export const underNodesFlags = <T>(work: () => T): T => under(NODES, work)
