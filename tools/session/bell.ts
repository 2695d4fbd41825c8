/** Lets several wait for one thing to happen. */
export interface Bell {
  /** Resolves at the next ring, and after `patience` milliseconds in any case where there is one. */
  readonly wait: () => Promise<void>
  readonly ring: () => void
}

export const createBell = (patience: number | undefined): Bell => {
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
    ring: () => {
      for (const each of waiting.splice(0)) each()
    },
  }
}
