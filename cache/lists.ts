/** Items under their names, in the order in which the names first come. Items without a name are left out. */
export const groupBy = <T>(
  items: Iterable<T>,
  nameOf: (item: T) => string | undefined,
): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const name = nameOf(item)
    if (name === undefined) continue
    const known = groups.get(name)
    if (known === undefined) groups.set(name, [item])
    else known.push(item)
  }
  return groups
}

/** Those that are there: an item that a condition rules out is false, one that is not known undefined. */
export const present = <T>(...items: readonly (T | false | undefined)[]): readonly T[] =>
  items.filter((item): item is T => item !== false && item !== undefined)

/** Orders texts as `toSorted` does without it. */
export const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** Adds what the items have of something, in their order. */
export const sumOver =
  <T>(items: readonly T[]) =>
  (of: (item: T) => number | undefined): number =>
    items.reduce((sum, item) => sum + (of(item) ?? 0), 0)

/**
 * `Promise.all` of what may be paid for: waits for all where one fails, too, for what the others are given is to be kept.
 * @throws the first failure, by their order
 */
export const allEnded = async <T>(work: Iterable<T | Promise<T>>): Promise<T[]> => {
  const ended = await Promise.allSettled(work)
  return ended.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
}

/** Pieces of work that go on side by side: `add` waits for all of them once there are so many, `ended` in any case. */
export const underWay = (
  most: number,
): { readonly add: (work: Promise<unknown>) => Promise<void>; readonly ended: () => Promise<void> } => {
  let pieces: Promise<unknown>[] = []
  const ended = async (): Promise<void> => {
    const all = pieces
    pieces = []
    await Promise.all(all)
  }
  return {
    ended,
    add: async (work) => {
      // Who waits meets its error. Nobody may do so yet, which would end the process.
      work.catch(() => undefined)
      if (pieces.push(work) >= most) await ended()
    },
  }
}

/**
 * Works on items in their order, a number of them at a time. After an error what was begun goes on, and nothing else is
 * begun; the error is thrown at once.
 */
export const sideBySide = async <T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  // A loop that ends early ends it for the others as well.
  const left = (function* () {
    yield* items
  })()
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
}
