/**
 * Work in a fixed order that somebody else drives: it yields what has to be waited for and is given what came of it.
 * Who builds waits at each step; who reads has every value at hand and waits for none.
 */
export type Walk<T> = Generator<unknown, T, unknown>

/** One step of a walk. */
export function* step<T>(work: T | Promise<T>): Walk<T> {
  return (yield work) as T
}

/** Takes a walk to its end, waiting where there is something to wait for. */
export const drive = async <T>(walk: Walk<T>): Promise<T> => {
  let at = walk.next()
  while (at.done !== true) at = walk.next(await at.value)
  return at.value
}

/** Takes a walk to its end whose values are all at hand. */
export const settle = <T>(walk: Walk<T>): T => {
  let at = walk.next()
  while (at.done !== true) {
    if (at.value instanceof Promise) throw new TypeError('a walk that reads was about to wait')
    at = walk.next(at.value)
  }
  return at.value
}
