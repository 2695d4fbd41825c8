/** How far work may run ahead of the first unfinished item. */
const WINDOW = 4096

/**
 * Works on items `0 … length-1`, at most `limit` at a time, and hands the results on in order of the items:
 * sums of floats must not depend on which reply came first.
 * After an error no new item is begun; those begun are waited for, then the error is thrown.
 *
 * @param isStopped - asked before each item; true ends the work early
 * @returns how many results were handed on
 */
export const inOrder = async <T>(
  length: number,
  limit: number,
  work: (index: number) => Promise<T>,
  take: (result: T, index: number) => void,
  isStopped: () => boolean,
): Promise<number> => {
  const waiting = new Map<number, T>()
  let next = 0
  let taken = 0
  let broken: { readonly error: unknown } | undefined
  let wake: (() => void)[] = []
  const settle = (index: number, result: T): void => {
    waiting.set(index, result)
    while (waiting.has(taken)) {
      take(waiting.get(taken) as T, taken)
      waiting.delete(taken)
      taken += 1
    }
    const sleepers = wake
    wake = []
    for (const resume of sleepers) resume()
  }
  const runner = async (): Promise<void> => {
    while (next < length && broken === undefined && !isStopped()) {
      if (next - taken >= WINDOW) {
        await new Promise<void>((resolve) => wake.push(resolve))
        continue
      }
      const index = next
      next += 1
      try {
        settle(index, await work(index))
      } catch (error) {
        broken ??= { error }
        for (const resume of wake) resume()
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, length) }, runner))
  if (broken !== undefined) throw broken.error
  return taken
}
