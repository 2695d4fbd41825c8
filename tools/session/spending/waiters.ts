/** Lets several wait for one thing to happen. */
export interface Waiters {
  /** Resolves when they are woken, and after `patience` milliseconds in any case where there is one. */
  readonly wait: () => Promise<void>
  readonly wake: () => void
}

export const createWaiters = (patience: number | undefined): Waiters => {
  const waiting: (() => void)[] = []
  return {
    wait: () =>
      new Promise((resolve) => {
        const timer = patience === undefined ? undefined : setTimeout(resolve, patience)
        waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      }),
    wake: () => {
      for (const each of waiting.splice(0)) each()
    },
  }
}
