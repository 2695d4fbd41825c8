/** Hands values from callbacks to a generator, in the order in which they came. */
interface TaskQueue<T> {
  push(value: T): void
  /** Ends the values once those pushed are taken; with an error, that is thrown then. */
  end(error?: unknown): void
  values(): AsyncGenerator<T>
}

export const createQueue = <T>(): TaskQueue<T> => {
  const waiting: T[] = []
  let ended: { readonly error?: unknown } | undefined
  let wake = (): void => {}
  return {
    push: (value) => {
      waiting.push(value)
      wake()
    },
    end: (error) => {
      ended = error === undefined ? {} : { error }
      wake()
    },
    async *values() {
      for (;;) {
        const batch = waiting.splice(0)
        yield* batch
        if (waiting.length > 0) continue
        if (ended !== undefined) {
          if ('error' in ended) throw ended.error
          return
        }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
